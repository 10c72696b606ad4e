"""The loader's findings in Russian. The core speaks English; each sentence has its pattern here, unknown ones stay as they are."""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.translation import get_language

# English with {} for what varies → Russian with the same number of {}.
_PAIRS = """
there is no such folder|такой папки нет
links and special files are not allowed|ссылки и особые файлы недопустимы
links are not allowed|ссылки недопустимы
special files are not allowed|особые файлы недопустимы
put the file itself into the archive|положите в архив сам файл
the file is larger than {} bytes|файл больше {} байт
the file is larger than {} characters|файл больше {} символов
split it|разделите его
the id {} is taken by {}|идентификатор {} занят задачей {}
the file is not UTF-8|файл не в UTF-8
save it as UTF-8|сохраните его в UTF-8
the file is no text (it holds a NUL)|файл не текстовый (в нём есть нулевой байт)
unknown verdict {}|неизвестный вердикт {}
this file belongs to no bundle|такого файла в задаче не бывает
did you mean {}?|возможно, имелось в виду {}
known here: {}|допустимо: {}
the file is missing|файла нет
category {} needs it|он нужен категории {}
there are no hidden tests|скрытых тестов нет
add tests.yaml or tests.bsl|добавьте tests.yaml или tests.bsl
add at least one test|добавьте хотя бы один тест
the module exports no function {}|модуль не экспортирует функцию {}
{} is no valid id|{} не годится в идентификаторы
letters, digits, '_', '-' and '.', at most 64|буквы, цифры, «_», «-» и «.», не больше 64
unknown category {}|неизвестная категория {}
unknown difficulty {}|неизвестная сложность {}
one of {}|одно из: {}
{} is no name of a routine|{} — не имя функции
{} is no regular expression: {}|{} — не регулярное выражение: {}
the pattern is longer than {} characters|шаблон длиннее {} символов
a test needs exactly one of {}|в тесте должно быть ровно одно из: {}
this one has {}|здесь: {}
the text that the exception must contain is empty|текст ожидаемого исключения пуст
at least two sizes are needed: whole positive numbers, rising|нужны хотя бы два размера: целые положительные числа по возрастанию
the call does not name the candidate's routine ({})|в вызове нет функции кандидата ({})
unknown counter {}|неизвестный счётчик {}
{} can be no key of a structure|{} не может быть ключом структуры
write {}|пишите {}
a value with {} must have one key of {}|у значения с {} должен быть один ключ из: {}
{} is no ISO date|{} — не дата ISO
a row must be a list of {} values|строка таблицы — список из {} значений
a map is a list of [key, value]|соответствие — список пар [ключ, значение]
an expression of 1C is expected|здесь нужно выражение 1С
an enum is a list of names|перечисление — список имён
a composite type is a list of names|составной тип — список имён
a list of records is expected|здесь нужен список записей
a record (name: value) is expected|здесь нужна запись (имя: значение)
this is no valid YAML: {}|это не YAML: {}
check indentation and quotes|проверьте отступы и кавычки
a YAML tag ({}) is not allowed|теги YAML ({}) недопустимы
write plain values|пишите простые значения
an alias (*{}) is not allowed|псевдонимы YAML (*{}) недопустимы
repeat the value|повторите значение
the file is nested too deeply or has too many values|в файле слишком глубокая вложенность или слишком много значений
the key {} stands twice|ключ {} повторяется
keep one of them|оставьте один
a key must be a plain name|ключ должен быть простым именем
a value of kind {} is not allowed|значения вида {} недопустимы
put it in quotes|возьмите его в кавычки
{} is no valid {}|{} — не {}
put it in quotes if it is text|если это текст, возьмите его в кавычки
a mapping (key: value) is expected here|здесь нужны пары «ключ: значение»
unknown key {}|неизвестный ключ {}
{} is missing|нет ключа {}
add {}: {}|добавьте {}: {}
{} must be {}|{}: нужно другое значение ({})
text is expected here|здесь нужен текст
the archive is larger than {} MB|архив больше {} МБ
the archive is damaged: {}|архив повреждён: {}
pack it again|упакуйте заново
pack it again as a plain zip|упакуйте заново обычным zip
the archive is damaged or packed in an unknown way|архив повреждён или упакован неизвестным способом
the file is empty|файл пуст
this is no zip archive|это не zip-архив
pack the folder of the task as .zip|упакуйте папку задачи в .zip
the archive is cut off: its directory is missing|архив обрезан: нет оглавления
upload it again|загрузите его ещё раз
the archive is of the zip64 kind|архив формата zip64
a bundle fits into a plain zip|задаче хватит обычного zip
the archive has more than {} entries|в архиве больше {} файлов
the archive's directory lies about its place|оглавление архива указывает не туда
the archive holds no files|в архиве нет файлов
the entry is encrypted|файл зашифрован
pack it without a password|упакуйте без пароля
the entry is packed in an unknown way|файл упакован неизвестным способом
use plain zip compression|используйте обычное сжатие zip
the name has control characters|в имени управляющие символы
rename it|переименуйте
the path is absolute|путь абсолютный
pack relative paths|упакуйте с относительными путями
the path has a backslash|в пути обратная косая черта
pack it with / between folders|разделяйте папки знаком /
the path leaves its folder or turns in it|путь выходит из своей папки
pack plain paths|упакуйте с простыми путями
the path has an empty part|в пути пустая часть
the path is too long or too deep|путь слишком длинный или глубокий
the entry unpacks to far more than it holds|файл распаковывается в несоразмерно больший
the name collides with {}|имя совпадает с {}
the name is a file and a folder at once|это имя и файла, и папки
the entry's header is missing|у файла нет заголовка
entries of the archive overlap|файлы в архиве перекрываются
the entry's header differs from the directory|заголовок файла расходится с оглавлением
the archive unpacks to more than {} MB|архив распаковывается больше чем в {} МБ
the entry's size is not what its header says|размер файла не тот, что в заголовке
task {} is of category {}, the bundle of category {}|задача {} категории {}, а загружена категория {}
give the new task an id of its own|дайте новой задаче свой идентификатор
"""


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = [line.split("|", 1) for line in _PAIRS.strip().split("\n")]
    # Sentences with much of their own come before those that could be anything.
    pairs.sort(key=lambda pair: -len(pair[0].replace("{}", "")))
    return tuple((re.compile(re.escape(english).replace(r"\{\}", "(.+)"), re.DOTALL), russian) for english, russian in pairs)


def in_words(text: str) -> str:
    """The sentence in the active language; as it stands where it has no pattern."""
    if not (get_language() or "ru").startswith("ru"):
        return text
    for pattern, russian in _patterns():
        match = pattern.fullmatch(text)
        if match:
            return russian.format(*match.groups())
    return text
