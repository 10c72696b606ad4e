"""Members of the object model that the platform has and this engine does not: using one is *not supported*, never an unknown
name. Both languages, as the platform's documentation lists them for the server."""

from __future__ import annotations

from scoring.engine.errors import NotSupported

FORMS = """
    получитьформу getform получитьформувыбора getchoiceform получитьформусписка getlistform получитьформугруппы getfolderform
    получитьформувыборагруппы getfolderchoiceform получитьформуэлемента getitemform получитьформунового getnewform
    получитьформуновогоэлемента getnewitemform получитьформуновойгруппы getnewfolderform получитьформунового
    получитьформуновогодокумента getnewdocumentform получитьмакет gettemplate получитьданныевыбора getchoicedata
    показать show
"""
REFERENCE_MANAGER = (
    FORMS
    + """
    установитьобновлениепредопределенныхданных setpredefineddataupdate получитьобновлениепредопределенныхданных
    getpredefineddataupdate обработкаполученияданныхвыбора
"""
)
REGISTER_MANAGER = (
    FORMS
    + """
    получитьминимальныйпериодрассчитанныхитогов getmintotalsperiod получитьмаксимальныйпериодрассчитанныхитогов
    getmaxtotalsperiod установитьминимальныйпериодрассчитанныхитогов setmintotalsperiod
    установитьмаксимальныйпериодрассчитанныхитогов setmaxtotalsperiod установитьминимальныйимаксимальныйпериодрассчитанныхитогов
    пересчитатьитогизапериод recalctotalsforperiod пересчитатьтекущиеитоги recalcpresenttotals
    получитьрежимразделенияитогов gettotalssplittingmode установитьрежимразделенияитогов settotalssplittingmode
    получитьиспользованиетекущихитогов getpresenttotalsusing установитьиспользованиетекущихитогов setpresenttotalsusing
    получитьиспользованиеитогов gettotalsusing получитьиспользованиеагрегатов getaggregatesusing
    установитьиспользованиеагрегатов setaggregatesusing получитьрежимагрегатов getaggregatesmode
    установитьрежимагрегатов setaggregatesmode обновитьагрегаты updateaggregates очиститьагрегаты clearaggregates
    перестроитьиспользованиеагрегатов rebuildaggregatesusing определитьоптимальныеагрегаты determineoptimalaggregates
    установитьиспользованиеитогов settotalsusing пересчитатьитоги recalctotals
"""
)
ACCOUNTING_MANAGER = (
    REGISTER_MANAGER
    + """
    остатки balance обороты turnovers оборотыдткт drcrturnovers остаткииобороты balanceandturnovers
    движенияссубконто recordswithextdimensions выбратьпосубконто selectbyextdimensions выбратьсубконто selectextdimensions
"""
)
STORED_OBJECT = """
    получитьформу getform показать show прочитатьизпараметра сброситьданныезаполнения
    зарегистрироватьизменение получитьпредставлениеобъектаданных
"""
METADATA = """
    представлениеобъекта objectpresentation расширенноепредставлениеобъекта extendedobjectpresentation
    представлениесписка listpresentation расширенноепредставлениесписка extendedlistpresentation пояснение explanation
    формы forms макеты templates команды commands основнаяформаобъекта defaultobjectform основнаяформасписка
    defaultlistform основнаяформадлявыбора defaultchoiceform подчинениесправочников контрольуникальности checkunique
    автонумерация autonumbering сериикодов codeseries типкода codetype допустимаядлинакода codeallowedlength
    типномера numbertype периодичностьномера numberperiodicity проведение posting оперативноепроведение realtimeposting
    записьдвиженийприпроведении registerrecordswriteonpost удалениедвижений registerrecordsdeletion
    периодичностьрегистрасведений informationregisterperiodicity режимзаписи writemode видрегистра registertype
    индексирование indexing использование use значениезаполнения fillvalue проверказаполнения fillchecking подсказка tooltip
    ведущее master запретнезаполненныхзначений denyincompletevalues использованиеитогов useintotals формат format
    формаредактирования editform параметрывыбора choiceparameters связипараметроввыбора choiceparameterlinks
    формавыбора choiceform быстрыйвыбор quickchoice основноепредставление defaultpresentation видиерархии hierarchytype
    ограничиватьколичествоуровней количествоуровней levelcount группыверху foldersontop вводпостроке inputbystring
    вводитсянаосновании basedon параметрысеанса sessionparameters функциональныеопции functionaloptions
    общиереквизиты commonattributes определяемыетипы definedtypes языки languages
    режимсовместимости compatibilitymode вариантвстроенногоязыка scriptvariant подробнаяинформация поставщик vendor
    авторскиеправа copyright общиемакеты commontemplates общиеформы commonforms хранилищанастроек settingsstorages
    критерииотборов подпискинасобытия eventsubscriptions регламентныезадания scheduledjobs
    планысчетов принадлежность полнотекстовыйпоиск fulltextsearch режимуправленияблокировкойданных datalockcontrolmode
    маскакода codemask автопорядокпокоду autoorderbycode длинапорядка orderlength признакиучета accountingflags
    признакиучетасубконто extdimensionaccountingflags дополнительныезначенияхарактеристик characteristicextvalues
    реквизитыадресации нумератор numerator последовательности модульобъекта модульменеджера
"""


def names(table: str) -> frozenset[str]:
    return frozenset(table.split())


def refuse_known(lacking: frozenset[str], name: str, owner: str) -> None:
    """Raises NotSupported where the platform's ``owner`` has ``name``."""
    if name.lower() in lacking:
        raise NotSupported(f"{owner}.{name}")
