"""Properties of the global context: managers, collections, libraries."""

from __future__ import annotations

PROPERTY_TABLE = """
    Константы/Constants Справочники/Catalogs Документы/Documents ЖурналыДокументов/DocumentJournals Перечисления/Enums
    Отчеты/Reports Обработки/DataProcessors ПланыВидовХарактеристик/ChartsOfCharacteristicTypes
    ПланыСчетов/ChartsOfAccounts ПланыВидовРасчета/ChartsOfCalculationTypes РегистрыСведений/InformationRegisters
    РегистрыНакопления/AccumulationRegisters РегистрыБухгалтерии/AccountingRegisters
    РегистрыРасчета/CalculationRegisters БизнесПроцессы/BusinessProcesses Задачи/Tasks ПланыОбмена/ExchangePlans
    Последовательности/Sequences КритерииОтбора/FilterCriteria ВнешниеИсточникиДанных/ExternalDataSources
    ВнешниеОбработки/ExternalDataProcessors ВнешниеОтчеты/ExternalReports СервисыИнтеграции/IntegrationServices

    Метаданные/Metadata ПараметрыСеанса/SessionParameters ПользователиИнформационнойБазы/InfoBaseUsers
    ФоновыеЗадания/BackgroundJobs РегламентныеЗадания/ScheduledJobs ПолнотекстовыйПоиск/FullTextSearch
    РасширенияКонфигурации/ConfigurationExtensions ИсторияДанных/DataHistory ФайловыеПотоки/FileStreams
    СистемаВзаимодействия/CollaborationSystem ОбработкаОшибок/ErrorProcessing ФабрикаXDTO/XDTOFactory
    СериализаторXDTO/XDTOSerializer WSСсылки/WSReferences СредстваКриптографии ДоставляемыеУведомления

    ХранилищеВариантовОтчетов/ReportsVariantsStorage ХранилищеНастроекДанныхФорм/FormDataSettingsStorage
    ХранилищеОбщихНастроек/CommonSettingsStorage ХранилищеСистемныхНастроек/SystemSettingsStorage
    ХранилищеПользовательскихНастроекОтчетов/ReportsUserSettingsStorage
    ХранилищеПользовательскихНастроекДинамическихСписков/DynamicListsUserSettingsStorage
    ХранилищаНастроек/SettingsStorages

    БиблиотекаКартинок/PictureLib БиблиотекаСтилей/StyleLib
    БиблиотекаМакетовОформленияКомпоновкиДанных/DataCompositionAppearanceTemplateLib
    ГлавныйИнтерфейс/MainInterface ГлавныйСтиль/MainStyle
    Символы/Chars ЦветаСтиля/StyleColors ШрифтыСтиля/StyleFonts РамкиСтиля/StyleBorders WebЦвета/WebColors
    WindowsЦвета/WindowsColors WindowsШрифты/WindowsFonts
"""
