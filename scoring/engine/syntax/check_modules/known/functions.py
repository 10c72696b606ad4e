"""Functions and procedures of the global context, and those that only clients have."""

from __future__ import annotations

# Functions of the language itself stand in ``compiled``; the number of their arguments is a matter of syntax.
FUNCTION_TABLE = """
    ЗначениеЗаполнено/ValueIsFilled:1-1 ЗаполнитьЗначенияСвойств/FillPropertyValues:2-4! Мин/Min:1- Макс/Max:1-
    Формат/Format:1-2 НСтр/NStr:1-2 ЧислоПрописью/NumberInWords:1-3 СтрокаСЧислом/StringWithNumber
    ПредставлениеПериода/PeriodPresentation:2-3 ПолучитьСклоненияСтроки ПолучитьСклоненияСтрокиПоЧислу
    ИнформацияОбОшибке/ErrorInfo:0-0 ОписаниеОшибки/ErrorDescription:0-0
    КраткоеПредставлениеОшибки/BriefErrorDescription:1-1 ПодробноеПредставлениеОшибки/DetailErrorDescription:1-1

    СтрШаблон/StrTemplate:1-11 СтрНайти/StrFind:2-5 СтрРазделить/StrSplit:2-3 СтрСоединить/StrConcat:1-2
    СтрСравнить/StrCompare:2-2 СтрНачинаетсяС/StrStartsWith:2-2 СтрЗаканчиваетсяНа/StrEndsWith:2-2
    СтрНайтиПоРегулярномуВыражению/StrFindByRegularExpression:2-7
    СтрНайтиВсеПоРегулярномуВыражению/StrFindAllByRegularExpression:2-4
    СтрЗаменитьПоРегулярномуВыражению/StrReplaceByRegularExpression:3-5
    СтрРазделитьПоРегулярномуВыражению/StrSplitByRegularExpression:2-4
    СтрПодобнаПоРегулярномуВыражению/StrMatchByRegularExpression:2-4
    КодироватьСтроку/EncodeString:2-3 РаскодироватьСтроку/DecodeString:2-3

    ПобитовоеИ/BitwiseAnd:2-2 ПобитовоеИли/BitwiseOr:2-2 ПобитовоеНе/BitwiseNot:1-1 ПобитовоеИНе/BitwiseAndNot:2-2
    ПобитовоеИсключительноеИли/BitwiseXor:2-2 ПобитовыйСдвигВлево/BitwiseShiftLeft:2-2
    ПобитовыйСдвигВправо/BitwiseShiftRight:2-2 ПроверитьБит/CheckBit:2-2 УстановитьБит/SetBit:3-3
    ПроверитьПоБитовойМаске/CheckByBitMask:2-2 ЧислоИзШестнадцатеричнойСтроки/NumberFromHexString:1-1
    ЧислоИзДвоичнойСтроки/NumberFromBinaryString:1-1

    ТекущаяДатаСеанса/CurrentSessionDate:0-0 ТекущаяУниверсальнаяДата/CurrentUniversalDate:0-0
    ТекущаяУниверсальнаяДатаВМиллисекундах/CurrentUniversalDateInMilliseconds:0-0 МестноеВремя/ToLocalTime:1-2
    УниверсальноеВремя/ToUniversalTime:1-2 ЧасовойПояс/TimeZone:0-0 ЧасовойПоясСеанса/SessionTimeZone:0-0
    УстановитьЧасовойПоясСеанса/SetSessionTimeZone:0-1! ПолучитьЧасовойПоясИнформационнойБазы/GetInfoBaseTimeZone:0-0
    УстановитьЧасовойПоясИнформационнойБазы/SetInfoBaseTimeZone:0-1!
    ПолучитьДопустимыеЧасовыеПояса/GetAvailableTimeZones:0-0 ПредставлениеЧасовогоПояса/TimeZonePresentation:1-2
    СмещениеСтандартногоВремени/StandardTimeOffset:0-2 СмещениеЛетнегоВремени/DaylightTimeOffset:0-2

    Сообщить/Message:1-2! ТекущийЯзык/CurrentLanguage:0-0 ТекущийЯзыкСистемы/CurrentSystemLanguage:0-0
    ТекущийКодЛокализации/CurrentLocaleCode:0-0 КодЛокализацииИнформационнойБазы/InfoBaseLocaleCode:0-0
    УстановитьКодЛокализацииИнформационнойБазы/SetInfoBaseLocaleCode! ПредставлениеКодаЛокализации/LocaleCodePresentation
    ПолучитьДопустимыеКодыЛокализации/GetAvailableLocaleCodes:0-0 ПолучитьСообщенияПользователю/GetUserMessages:0-1
    ПредставлениеПриложения/ApplicationPresentation:1-1 ПолучитьИдентификаторКонфигурации

    НачатьТранзакцию/BeginTransaction:0-1! ЗафиксироватьТранзакцию/CommitTransaction:0-0!
    ОтменитьТранзакцию/RollbackTransaction:0-0! ТранзакцияАктивна/TransactionActive:0-0
    ЗаблокироватьДанныеДляРедактирования/LockDataForEdit:1-3! РазблокироватьДанныеДляРедактирования/UnlockDataForEdit:0-2!
    НайтиПоСсылкам/FindByRef:1-4 НайтиПомеченныеНаУдаление/FindMarkedForDeletion УдалитьОбъекты/DeleteObjects!
    УдалитьДанныеИнформационнойБазы/EraseInfoBaseData! ОбновитьНумерациюОбъектов/RefreshObjectsNumbering:0-1!
    ОбновитьПовторноИспользуемыеЗначения/RefreshReusableValues:0-0!
    ПолучитьОперативнуюОтметкуВремени/GetRealTimeTimestamp:0-0 ПолучитьФункциональнуюОпцию/GetFunctionalOption:1-2
    ПолучитьФункциональнуюОпциюИнтерфейса/GetInterfaceFunctionalOption ПолучитьДанныеВыбора/GetChoiceData
    ПолучитьПараметрыФункциональныхОпцийИнтерфейса УстановитьПараметрыФункциональныхОпцийИнтерфейса!
    ПолучитьВремяОжиданияБлокировкиДанных:0-0 УстановитьВремяОжиданияБлокировкиДанных:1-1!
    ПолучитьСтруктуруХраненияБазыДанных/GetDBStorageStructureInfo ПолучитьРазмерДанныхБазыДанных
    ПредопределенноеЗначение/PredefinedValue:1-1
    ПолучитьПолноеИмяПредопределенногоЗначения/GetPredefinedValueFullName:1-1
    ИнициализироватьПредопределенныеДанные/InitializePredefinedData!
    УстановитьОбновлениеПредопределенныхДанныхИнформационнойБазы! ПолучитьОбновлениеПредопределенныхДанныхИнформационнойБазы
    ПолучитьОбщийМакет/GetCommonTemplate:1-1 ПолучитьОбщуюФорму/GetCommonForm ПолучитьФорму/GetForm
    ПолучитьНавигационнуюСсылку/GetURL ПолучитьНавигационнуюСсылкуИнформационнойБазы/GetInfoBaseURL:0-0
    ПолучитьПредставленияНавигационныхСсылок/GetURLsPresentations:1-1
    УстановитьСоединениеСВнешнимИсточникомДанных! РазорватьСоединениеСВнешнимИсточникомДанных!

    ИмяПользователя/UserName:0-0 ПолноеИмяПользователя/UserFullName:0-0 ИмяКомпьютера/ComputerName:0-0
    ПользователиОС/OSUsers:0-0 РольДоступна/IsInRole:1-1 ПравоДоступа/AccessRight:2- ПараметрыДоступа/AccessParameters:2-
    ПравоДоступаПользователя ВыполнитьПроверкуПравДоступа/VerifyAccessRights:2-! ПредставлениеПрава/RightPresentation:1-1
    УстановитьПривилегированныйРежим/SetPrivilegedMode:1-1! ПривилегированныйРежим/PrivilegedMode:0-0
    УстановитьБезопасныйРежим/SetSafeMode:1-1! БезопасныйРежим/SafeMode:0-0
    УстановитьОтключениеБезопасногоРежима/SetSafeModeDisabled:1-1! ПолучитьОтключениеБезопасногоРежима/GetSafeModeDisabled:0-0
    УстановитьБезопасныйРежимРазделенияДанных/SetDataSeparationSafeMode:2-2!
    БезопасныйРежимРазделенияДанных/DataSeparationSafeMode:1-1
    УстановитьМонопольныйРежим/SetExclusiveMode:1-1! МонопольныйРежим/ExclusiveMode:0-0
    НомерСеансаИнформационнойБазы/InfoBaseSessionNumber:0-0
    НомерСоединенияИнформационнойБазы/InfoBaseConnectionNumber:0-0
    ПолучитьСеансыИнформационнойБазы/GetInfoBaseSessions:0-0
    ПолучитьСоединенияИнформационнойБазы/GetInfoBaseConnections:0-0
    ПолучитьТекущийСеансИнформационнойБазы/GetCurrentInfoBaseSession:0-0
    СтрокаСоединенияИнформационнойБазы/InfoBaseConnectionString КонфигурацияИзменена/ConfigurationChanged:0-0
    КонфигурацияБазыДанныхИзмененаДинамически/DataBaseConfigurationChangedDynamically:0-0
    УстановитьБлокировкуСеансов/SetSessionsLock:1-1! ПолучитьБлокировкуСеансов/GetSessionsLock:0-0
    ПолучитьСкоростьКлиентскогоСоединения/GetClientConnectionSpeed:0-0 ПолучитьИмяКлиентскогоПриложения
    ПолучитьИнформациюЭкрановКлиента/GetClientDisplaysInformation
    ТекущийВариантИнтерфейсаКлиентскогоПриложения/ClientApplicationInterfaceCurrentVariant:0-0
    ТекущийВариантОсновногоШрифтаКлиентскогоПриложения/ClientApplicationBaseFontCurrentVariant:0-0
    УстановитьМинимальнуюДлинуПаролейПользователей/SetUserPasswordMinLength:1-1!
    ПолучитьМинимальнуюДлинуПаролейПользователей/GetUserPasswordMinLength:0-0
    УстановитьПроверкуСложностиПаролейПользователей/SetUserPasswordStrengthCheck:1-1!
    ПолучитьПроверкуСложностиПаролейПользователей/GetUserPasswordStrengthCheck:0-0
    УстановитьВремяЗасыпанияПассивногоСеанса/SetPassiveSessionHibernateTime:1-1!
    ПолучитьВремяЗасыпанияПассивногоСеанса/GetPassiveSessionHibernateTime:0-0
    УстановитьВремяЗавершенияСпящегоСеанса/SetHibernateSessionTerminateTime:1-1!
    ПолучитьВремяЗавершенияСпящегоСеанса/GetHibernateSessionTerminateTime:0-0

    ЗаписьЖурналаРегистрации/WriteLogEvent:1-6! ВыгрузитьЖурналРегистрации/UnloadEventLog:1-5!
    ОчиститьЖурналРегистрации/ClearEventLog! СкопироватьЖурналРегистрации/CopyEventLog!
    ПредставлениеСобытияЖурналаРегистрации/EventLogEventPresentation:1-1
    ПолучитьЗначенияОтбораЖурналаРегистрации/GetEventLogFilterValues
    ПолучитьИспользованиеЖурналаРегистрации/GetEventLogUsing:0-0
    УстановитьИспользованиеЖурналаРегистрации/SetEventLogUsing:1-1!
    ПолучитьИспользованиеСобытияЖурналаРегистрации/GetEventLogEventUse:1-1
    УстановитьИспользованиеСобытияЖурналаРегистрации/SetEventLogEventUse:2-2!

    XMLСтрока/XMLString:1-1 XMLЗначение/XMLValue:2-2 XMLТип/XMLType:1-1 XMLТипЗнч/XMLTypeOf:1-1
    ЗаписатьXML/WriteXML:2-! ПрочитатьXML/ReadXML:1-2 ПолучитьXMLТип/GetXMLType ИзXMLТипа/FromXMLType
    ВозможностьЧтенияXML/CanReadXML:1-1 СоздатьФабрикуXDTO/CreateXDTOFactory
    НайтиНедопустимыеСимволыXML/FindDisallowedXMLCharacters:1-2
    ПрочитатьJSON/ReadJSON:1-9 ЗаписатьJSON/WriteJSON:2-6! ПрочитатьДатуJSON/ReadJSONDate:1-2
    ЗаписатьДатуJSON/WriteJSONDate:2-3
    ЗначениеВСтрокуВнутр/ValueToStringInternal:1-1 ЗначениеИзСтрокиВнутр/ValueFromStringInternal:1-1
    ЗначениеВФайл/ValueToFile:2-2 ЗначениеИзФайла/ValueFromFile:1-1
    ЗначениеВДанныеФормы/ValueToFormData:2-2! ДанныеФормыВЗначение/FormDataToValue:2-2
    КопироватьДанныеФормы/CopyFormData:2-2! ПолучитьСоответствиеОбъектаИФормы/GetObjectAndFormConformity
    УстановитьСоответствиеОбъектаИФормы/SetObjectAndFormConformity! СохранитьЗначение/SaveValue!
    ВосстановитьЗначение/RestoreValue

    ПоместитьВоВременноеХранилище/PutToTempStorage:1-2 ПолучитьИзВременногоХранилища/GetFromTempStorage:1-1
    УдалитьИзВременногоХранилища/DeleteFromTempStorage:1-1! ЭтоАдресВременногоХранилища/IsTempStorageURL:1-1

    Base64Строка/Base64String:1-1 Base64Значение/Base64Value:1-1
    СоединитьДвоичныеДанные/ConcatBinaryData:1-1 РазделитьДвоичныеДанные/SplitBinaryData:2-2
    СоединитьБуферыДвоичныхДанных/ConcatBinaryDataBuffers:1-1
    ПолучитьДвоичныеДанныеИзСтроки/GetBinaryDataFromString:1-3 ПолучитьСтрокуИзДвоичныхДанных/GetStringFromBinaryData:1-2
    ПолучитьBase64СтрокуИзДвоичныхДанных/GetBase64StringFromBinaryData:1-1
    ПолучитьДвоичныеДанныеИзBase64Строки/GetBinaryDataFromBase64String:1-1
    ПолучитьHexСтрокуИзДвоичныхДанных/GetHexStringFromBinaryData:1-1
    ПолучитьДвоичныеДанныеИзHexСтроки/GetBinaryDataFromHexString:1-1
    ПолучитьBase64ДвоичныеДанныеИзДвоичныхДанных/GetBase64BinaryDataFromBinaryData:1-1
    ПолучитьДвоичныеДанныеИзBase64ДвоичныхДанных/GetBinaryDataFromBase64BinaryData:1-1
    ПолучитьHexДвоичныеДанныеИзДвоичныхДанных/GetHexBinaryDataFromBinaryData:1-1
    ПолучитьДвоичныеДанныеИзHexДвоичныхДанных/GetBinaryDataFromHexBinaryData:1-1
    ПолучитьБуферДвоичныхДанныхИзДвоичныхДанных/GetBinaryDataBufferFromBinaryData:1-1
    ПолучитьДвоичныеДанныеИзБуфераДвоичныхДанных/GetBinaryDataFromBinaryDataBuffer:1-1
    ПолучитьБуферДвоичныхДанныхИзСтроки/GetBinaryDataBufferFromString:1-3
    ПолучитьСтрокуИзБуфераДвоичныхДанных/GetStringFromBinaryDataBuffer:1-2
    ПолучитьBase64СтрокуИзБуфераДвоичныхДанных/GetBase64StringFromBinaryDataBuffer:1-1
    ПолучитьБуферДвоичныхДанныхИзBase64Строки/GetBinaryDataBufferFromBase64String:1-1
    ПолучитьHexСтрокуИзБуфераДвоичныхДанных/GetHexStringFromBinaryDataBuffer:1-1
    ПолучитьБуферДвоичныхДанныхИзHexСтроки/GetBinaryDataBufferFromHexString:1-1

    КопироватьФайл/FileCopy:2-2! ПереместитьФайл/MoveFile:2-2! УдалитьФайлы/DeleteFiles:1-2! НайтиФайлы/FindFiles:1-3
    СоздатьКаталог/CreateDirectory:1-1! ПолучитьИмяВременногоФайла/GetTempFileName:0-1 КаталогВременныхФайлов/TempFilesDir:0-0
    КаталогПрограммы/BinDir:0-0 РазделитьФайл/SplitFile ОбъединитьФайлы/MergeFiles!
    ПолучитьРазделительПути/GetPathSeparator:0-0 ПолучитьРазделительПутиСервера/GetServerPathSeparator:0-0
    ПолучитьРазделительПутиКлиента/GetClientPathSeparator:0-0 ПолучитьМаскуВсеФайлы/GetAllFilesMask:0-0
    ПолучитьМаскуВсеФайлыСервера/GetServerAllFilesMask:0-0 ПолучитьМаскуВсеФайлыКлиента/GetClientAllFilesMask:0-0
    КаталогДокументов/DocumentsDir РабочийКаталогДанныхПользователя/UserDataWorkDir
    ЗапуститьПриложение/RunApp! КомандаСистемы/System! ПодключитьВнешнююКомпоненту/AttachAddIn ПолучитьCOMОбъект/GetCOMObject
    ВыполнитьОбработкуОповещения/ExecuteNotifyProcessing!
"""

# What a module of the server does not see, though the names are the platform's.
CLIENT_TABLE = """
    Вопрос/DoQueryBox Предупреждение/DoMessageBox ПоказатьВопрос/ShowQueryBox ПоказатьПредупреждение/ShowMessageBox
    ПоказатьЗначение/ShowValue ПоказатьОповещениеПользователя/ShowUserNotification
    ПоказатьИнформациюОбОшибке/ShowErrorInfo ПоказатьВводЧисла/ShowInputNumber ПоказатьВводСтроки/ShowInputString
    ПоказатьВводДаты/ShowInputDate ПоказатьВводЗначения/ShowInputValue
    ВвестиДату/InputDate ВвестиЗначение/InputValue ВвестиСтроку/InputString ВвестиЧисло/InputNumber
    Состояние/Status ОчиститьСообщения/ClearMessages Оповестить/Notify ОповеститьОбИзменении/NotifyChanged
    ОткрытьФорму/OpenForm ОткрытьФормуМодально/OpenFormModal ОткрытьЗначение/OpenValue
    ПодключитьОбработчикОжидания/AttachIdleHandler ОтключитьОбработчикОжидания/DetachIdleHandler
    ОбработкаПрерыванияПользователя/UserInterruptProcessing Сигнал/Beep
    ПолучитьФайл/GetFile ПолучитьФайлы/GetFiles ПоместитьФайл/PutFile ПоместитьФайлы/PutFiles
    НачатьПомещениеФайла/BeginPutFile НачатьПомещениеФайлов/BeginPuttingFiles НачатьПолучениеФайлов/BeginGettingFiles
    НачатьЗапускПриложения/BeginRunningApplication ЗапуститьСистему/RunSystem
    ЗавершитьРаботуСистемы/Exit ПрекратитьРаботуСистемы/Terminate УстановитьВнешнююКомпоненту/InstallAddIn
    НачатьПодключениеВнешнейКомпоненты/BeginAttachingAddIn НачатьУстановкуВнешнейКомпоненты/BeginInstallAddIn
    ПерейтиПоНавигационнойСсылке/GotoURL НайтиОкноПоНавигационнойСсылке/FindWindowByURL ПолучитьОкна/GetWindows
    АктивноеОкно/ActiveWindow ОбновитьИнтерфейс/RefreshInterface ЗаблокироватьРаботуПользователя
"""
