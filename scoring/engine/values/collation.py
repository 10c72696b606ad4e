"""String order of the ICU root collation, which .NET uses for the invariant culture.

Primary weights come from the order of letters below (Unicode's default table: blanks, punctuation, symbols, currencies,
digits, Latin, Greek, Cyrillic), secondary ones from accents, tertiary ones from case: lower before upper where that is the
only difference. ``й`` is a letter of its own, ``ё`` is ``е`` with an accent. Control characters do not count.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from scoring.engine.values.text import joined

_ORDER = (
    "\t\n\x0b\x0c\n\x85\u2028\u2029"
    " ‾_‗-‐‒–—―⁓,;⁏:!¡?¿‽.·⁕⁖⁘⁙⁚⁛⁜⁝⁞'‘’‚‛‹›\"“”„‟«»()[]{}⁅⁆‖§¶⁋@*⁎⁑/\\&⁊#%‰‱†‡•‣‧⁃⁌⁍′‵‸"
    "※‿⁔⁀⁐⁁⁂`´˜^¯˘˙¨˚˝¸˛ʹ͵ʺ˂˃˄˅ˆˇˈˉˊˋˌˍˎˏ˒˓˔˕˖˗˞˟˥˦˧˨˩˪˫ˬ˭˯˰˱˲˳˴˵˶˷˸˹˺˻˼˽˾˿°҂©®϶+±÷×<"
    "=>¬|¦~⁒⁄ːˑ¤¢$£¥₠₡₢₣₤₥₦₧₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾0123456789aɐɑɒbʙƀɓƃcȼƈɕdɖɗƌȡeɇǝəɛɘɚ"
    "ɜɝɞʚɤfƒgɡɢǥɠʛɣƣhʜƕɦɧʻʽiıɪɨɩjȷɉʝɟʄkƙʞlʟƚɫɬɭȴɮƛʎmɱnɴɲƞɳȵŋoɶɔɵɷȣpƥɸqʠɋĸrʀɍɹɺɻɼɽɾɿʁs"
    "ʂȿʃƪʅʆtŧƫƭʈȶʇuʉɥʮʯɯɰʊvʋʌwʍxyʏɏƴȝzƶȥʐʑɀʒƹƺʓþƿƻƨƽƅʔɂˀʼˮʾʕʿˁʡʢʖǀǁǂǃʗʘʬʭαβγδεϝͷϛζͱηθ"
    "ιϳκλμνξοπϻϟϙρϼσͼͻͽτυφχψωϡͳϸϣϥϧϩϫϭϯаәӕбвгғӻҕӷдђҙеєжҗзѕӡиҋійјкқӄҡҟҝлӆљмӎнӊңӈҥњоөпҧ"
    "ҁрҏсҫтҭћуүұѹфхӽӿҳһѡѿѽѻцҵчҷӌҹҽҿџшщъыьҍѣэюяѥѧѫѩѭѯѱѳѵҩӏ"
)

_IGNORED = {0xAD, 0x34F, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F)}
# Symbols that no table knows (arrows, pictures) stand before the currencies, by code; letters behind all known ones.
_CURRENCIES = _ORDER.index("¤")
_SYMBOLS, _LATE = 0x1000, 0x40000
_RANKS = {letter: chr((_LATE if rank >= _CURRENCIES else 0x100) + rank) for rank, letter in enumerate(_ORDER)}
_PLAIN, _LOWER, _UPPER = "\x20", "\x02", "\x08"
_UNKNOWN = 0x50000


def _is_ignored(code: int) -> bool:
    return code in _IGNORED or (code < 0xA0 and unicodedata.category(chr(code)) == "Cc" and chr(code) not in _RANKS)


def _weights(letter: str) -> tuple[str, str, str]:
    """(primary, secondary, tertiary) of one character; each may be of any length."""
    if letter in _RANKS:
        return _RANKS[letter], _PLAIN, _LOWER
    if _is_ignored(ord(letter)):
        return "", "", ""
    if unicodedata.combining(letter):
        return "", chr(0x21 + ord(letter) % 0x300), _LOWER
    lower = letter.lower()
    if lower != letter and len(lower) == 1:
        primary, secondary, tertiary = _weights(lower)
        return primary, secondary, tertiary.replace(_LOWER, _UPPER, 1)
    expanded = unicodedata.normalize("NFKD", letter)
    if expanded != letter:
        return _joined(expanded)
    if unicodedata.category(letter)[0] in "SP":
        return chr(_SYMBOLS + ord(letter)), _PLAIN, _LOWER
    return chr(min(_UNKNOWN + ord(letter), 0x10FFFF)), _PLAIN, _LOWER


def _joined(letters: str) -> tuple[str, str, str]:
    weights = [_weights(letter) for letter in letters]
    return "".join(w[0] for w in weights), "".join(w[1] for w in weights), "".join(w[2] for w in weights)


class _Level(dict[int, str]):
    """A translation table for one level of weights that fills itself."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self.level = level

    def __missing__(self, code: int) -> str:
        weight = self[code] = _weights(chr(code))[self.level]
        return weight


_PRIMARY, _SECONDARY, _TERTIARY = _Level(0), _Level(1), _Level(2)


@lru_cache(maxsize=4096)
def collation_key(text: str) -> tuple[str, str, str]:
    """A key that orders strings as the collation does; equal keys = equal strings to it."""
    text = joined(text)
    return text.translate(_PRIMARY), text.translate(_SECONDARY), text.translate(_TERTIARY)


@lru_cache(maxsize=4096)
def collation_key_ignoring_case(text: str) -> tuple[str, str]:
    """The same without the level of case (``CompareOptions.IgnoreCase``)."""
    text = joined(text)
    return text.translate(_PRIMARY), text.translate(_SECONDARY)


def _is_half(letter: str) -> bool:
    return "\ud800" <= letter <= "\udfff"


def _at_first_difference(left: str, right: str) -> int:
    """The order by the first letters that differ, where their own primary weights decide; else 0."""
    for a, b in zip(left, right, strict=False):
        if a != b:
            x, y = _PRIMARY[ord(a)], _PRIMARY[ord(b)]
            if _is_half(a) or _is_half(b):
                return 0
            if not x or not y or x[0] == y[0]:
                return 0
            return -1 if x < y else 1
    return 0


def compare(left: str, right: str) -> int:
    """−1, 0 or 1 with case as the last resort."""
    if left == right:
        return 0
    order = _at_first_difference(left, right)
    if order:
        return order
    a, b = collation_key(left), collation_key(right)
    return (a > b) - (a < b)


def compare_ignoring_case(left: str, right: str) -> int:
    """−1, 0 or 1; case never counts, accents do."""
    if left == right:
        return 0
    order = _at_first_difference(left, right)
    if order:
        return order
    a, b = collation_key_ignoring_case(left), collation_key_ignoring_case(right)
    return (a > b) - (a < b)
