"""Types that Новый may create on the server."""

from __future__ import annotations

TYPE_TABLE = """
    Массив/Array Структура/Structure Соответствие/Map ФиксированныйМассив/FixedArray
    ФиксированнаяСтруктура/FixedStructure ФиксированноеСоответствие/FixedMap ТаблицаЗначений/ValueTable
    ДеревоЗначений/ValueTree СписокЗначений/ValueList СравнениеЗначений/CompareValues ОписаниеТипов/TypeDescription
    КвалификаторыЧисла/NumberQualifiers КвалификаторыСтроки/StringQualifiers КвалификаторыДаты/DateQualifiers
    КвалификаторыДвоичныхДанных/BinaryDataQualifiers УникальныйИдентификатор/UUID ХранилищеЗначения/ValueStorage
    СтандартныйПериод/StandardPeriod СтандартнаяДатаНачала/StandardBeginningDate
    ГенераторСлучайныхЧисел/RandomNumberGenerator

    Запрос/Query МенеджерВременныхТаблиц/TempTablesManager СхемаЗапроса/QuerySchema ПостроительЗапроса/QueryBuilder
    ПостроительОтчета/ReportBuilder ПостроительОформления Граница/Boundary МоментВремени/PointInTime
    БлокировкаДанных/DataLock БлокировкаСеансов/SessionsLock РасписаниеРегламентногоЗадания/JobSchedule
    СообщениеПользователю/UserMessage СистемнаяИнформация/SystemInfo ОписаниеОповещения/NotifyDescription
    ОписаниеПередаваемогоФайла/TransferableFileDescription
    ОписаниеЗащитыОтОпасныхДействий/UnsafeOperationProtectionDescription

    Файл/File ДвоичныеДанные/BinaryData Поток/Stream ФайловыйПоток/FileStream ПотокВПамяти/MemoryStream
    ЧтениеДанных/DataReader ЗаписьДанных/DataWriter БуферДвоичныхДанных/BinaryDataBuffer ЧтениеТекста/TextReader
    ЗаписьТекста/TextWriter ИзвлечениеТекста/TextExtraction ТекстовыйДокумент/TextDocument
    ЧтениеZipФайла/ZipFileReader ЗаписьZipФайла/ZipFileWriter XBase COMОбъект/COMObject

    ЧтениеJSON/JSONReader ЗаписьJSON/JSONWriter ПараметрыЗаписиJSON/JSONWriterSettings
    НастройкиСериализацииJSON/JSONSerializerSettings
    ЧтениеXML/XMLReader ЗаписьXML/XMLWriter ПараметрыЧтенияXML/XMLReaderSettings ПараметрыЗаписиXML/XMLWriterSettings
    ПостроительDOM/DOMBuilder ЗаписьDOM/DOMWriter ДокументDOM/DOMDocument ДокументHTML/HTMLDocument
    РазыменовательПространствИменDOM/DOMNamespaceResolver КонтекстПространствИменXML/XMLNamespaceContext
    РасширенноеИмяXML/XMLExpandedName ТипДанныхXML/XMLDataType ПреобразованиеXSL/XSLTransform
    ПостроительСхемXML/XMLSchemaBuilder НаборСхемXML/XMLSchemaSet СхемаXML/XMLSchema ЧтениеHTML/HTMLReader
    ЗаписьHTML/HTMLWriter ЧтениеFastInfoset/FastInfosetReader ЗаписьFastInfoset/FastInfosetWriter
    ФабрикаXDTO/XDTOFactory СериализаторXDTO/XDTOSerializer

    HTTPСоединение/HTTPConnection HTTPЗапрос/HTTPRequest HTTPСервисОтвет/HTTPServiceResponse
    ИнтернетПрокси/InternetProxy FTPСоединение/FTPConnection ИнтернетПочта/InternetMail
    ИнтернетПочтовоеСообщение/InternetMailMessage ИнтернетПочтовыйПрофиль/InternetMailProfile
    WSПрокси/WSProxy WSОпределения/WSDefinitions ДоставляемоеУведомление/DeliverableNotification
    ЗащищенноеСоединениеOpenSSL/OpenSSLSecureConnection СертификатКлиентаФайл/FileClientCertificate
    СертификатКлиентаWindows/WindowsClientCertificate
    СертификатыУдостоверяющихЦентровФайл/FileCertificationAuthorityCertificates
    СертификатыУдостоверяющихЦентровWindows/WindowsCertificationAuthorityCertificates
    СертификатыУдостоверяющихЦентровОС МенеджерКриптографии/CryptoManager СертификатКриптографии/CryptoCertificate
    ХешированиеДанных/DataHashing ШифрованиеДанных

    СхемаКомпоновкиДанных/DataCompositionSchema НастройкиКомпоновкиДанных/DataCompositionSettings
    КомпоновщикНастроекКомпоновкиДанных/DataCompositionSettingsComposer
    КомпоновщикМакетаКомпоновкиДанных/DataCompositionTemplateComposer
    ПроцессорКомпоновкиДанных/DataCompositionProcessor
    ПроцессорВыводаРезультатаКомпоновкиДанныхВКоллекциюЗначений/DataCompositionResultValueCollectionOutputProcessor
    ПроцессорВыводаРезультатаКомпоновкиДанныхВТабличныйДокумент/DataCompositionResultSpreadsheetDocumentOutputProcessor
    ИсточникДоступныхНастроекКомпоновкиДанных/DataCompositionAvailableSettingsSource
    ОбработкаРасшифровкиКомпоновкиДанных/DataCompositionDetailsProcess ПолеКомпоновкиДанных/DataCompositionField
    ПараметрКомпоновкиДанных/DataCompositionParameter АнализДанных/DataAnalysis

    ТабличныйДокумент/SpreadsheetDocument ГеографическаяСхема/GeographicalSchema ГрафическаяСхема/GraphicalSchema
    Диаграмма/Chart ДиаграммаГанта/GanttChart СводнаяДиаграмма/PivotChart Дендрограмма/Dendrogram
    ФорматированнаяСтрока/FormattedString ФорматированныйДокумент/FormattedDocument Цвет/Color Шрифт/Font
    Рамка/Border Линия/Line Картинка/Picture РеквизитФормы/FormAttribute ПараметрВыбора/ChoiceParameter
    СвязьПараметраВыбора/ChoiceParameterLink СвязьПоТипу/TypeLink
"""
