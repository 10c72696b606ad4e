"""``ИнформацияОбОшибке`` and the functions that present errors."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError, Frame
from scoring.engine.runtime.builtins.arguments import is_onec
from scoring.engine.runtime.builtins.enums import system_enum
from scoring.engine.values.members import ONEC, ONESCRIPT, builtin, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject


class ErrorInfo(BslObject):
    """What is known of a caught error. ``error`` is None for an empty one; ``thrown`` tells one that was raised from one
    that the program only made."""

    __slots__ = ("error", "thrown")
    type_name = ("ИнформацияОбОшибке", "ErrorInfo")

    def __init__(self, error: BslRuntimeError | None, *, thrown: bool = True) -> None:
        self.error = error
        self.thrown = thrown or bool(error and error.frames)

    def text(self, rt: Any) -> str:
        """The description, without place and causes."""
        return rt.dialect.render(self.error) if self.error is not None else ""

    def frame(self) -> Frame | None:
        """The place of the error; None for an empty info. Raises for one that was never thrown."""
        if self.error is None:
            return None
        if not self.error.frames and not self.thrown:
            raise BslRuntimeError("not_thrown", "This ErrorInfo is not have been thrown by Raise operator yet")
        return self.error.frames[0] if self.error.frames else None

    def presentation(self, rt: Any) -> str:
        return self.text(rt)

    @prop("Описание", "Description")
    def description(self, rt: Any) -> str:
        return _parted(rt, self.error)[0] if self.error is not None else ""

    @prop("ИмяМодуля", "ModuleName")
    def module_name(self, rt: Any) -> str:
        frame = self.frame()
        return frame.module if frame else ""

    @prop("НомерСтроки", "LineNumber")
    def line_number(self, rt: Any) -> int:
        frame = self.frame()
        return frame.line if frame else 0

    @prop("ИсходнаяСтрока", "SourceLine")
    def source_line(self, rt: Any) -> str:
        frame = self.frame()
        return frame.source_line if frame else ""

    @prop("Причина", "Cause")
    def cause(self, rt: Any) -> Any:
        cause = _cause_of(rt, self.error) if self.error is not None else None
        return ErrorInfo(cause) if cause is not None else None

    @prop("Параметры", "Parameters", dialects=(ONESCRIPT,))
    def parameters(self, rt: Any) -> Any:
        return self.error.parameters if self.error is not None else None

    @prop("ДополнительнаяИнформация", "AdditionalInfo", dialects=(ONEC,))
    def additional(self, rt: Any) -> Any:
        return self.error.parameters if self.error is not None else None

    @prop("Код", "Code", dialects=(ONEC,))
    def code(self, rt: Any) -> str:
        return str(self.error.params.get("code", "")) if self.error is not None else ""

    @member("ПодробноеОписаниеОшибки", "DetailedDescription", dialects=(ONESCRIPT,))
    def detailed_description(self, rt: Any) -> str:
        return detailed(rt, self.error)

    @member("ЭтоОшибкаКатегории", "IsErrorOfCategory", dialects=(ONEC,))
    def is_of_category(self, rt: Any, category: Any, with_causes: Any = MISSING) -> bool:
        return bool(category is error_category(self.error))

    @member("ПолучитьСтекВызовов", "GetStackTrace", dialects=(ONESCRIPT,))
    def stack(self, rt: Any) -> Any:
        from scoring.engine.collections import new_array, new_structure

        frames = self.error.frames if self.error is not None else []
        return new_array(
            [new_structure([("Модуль", f.module), ("Метод", f.routine), ("НомерСтроки", f.line)]) for f in frames]
        )


def error_category(error: BslRuntimeError | None) -> Any:
    """The КатегорияОшибки of 1C that the error belongs to."""
    categories = system_enum("КатегорияОшибки")
    if error is None:
        return categories["OtherError"]
    if error.kind == "raised":
        return categories["ExceptionRaisedFromScript"]
    return categories["ScriptRuntimeError"]


_CALL_FAILED = "Ошибка при вызове "


def _parted(rt: Any, error: BslRuntimeError) -> tuple[str, str]:
    """The description and, where 1C gives the failure inside a built-in call as a cause of its own, the cause's text."""
    text = str(rt.dialect.render(error))
    if not is_onec(rt) or error.kind == "raised" or not text.startswith(_CALL_FAILED) or "): " not in text:
        return text, ""
    head, _, reason = text.partition("): ")
    return head + ")", reason


def _cause_of(rt: Any, error: BslRuntimeError) -> BslRuntimeError | None:
    reason = _parted(rt, error)[1]
    return BslRuntimeError("raised", reason, message=reason) if reason else error.cause


def placed(rt: Any, error: BslRuntimeError) -> str:
    """The description with its place in front, as ``ОписаниеОшибки`` gives it."""
    text = rt.dialect.render(error)
    if not error.frames:
        return str(text)
    frame = error.frames[0]
    if is_onec(rt):
        return f"{{{frame.module}({frame.line})}}: {text}"
    return f"{{Модуль {frame.module} / Error in line: {frame.line} / {text}}}"


def brief(rt: Any, error: BslRuntimeError | None) -> str:
    """Descriptions of the error and of its causes."""
    texts = []
    while error is not None:
        texts.append(rt.dialect.render(error))
        error = error.cause
    return "\nпо причине:\n".join(texts)


def detailed(rt: Any, error: BslRuntimeError | None) -> str:
    """As :func:`brief`, each with its place and source line."""
    texts = []
    while error is not None:
        text = placed(rt, error)
        cause = _cause_of(rt, error)
        if cause is not error.cause:
            text = text.removesuffix(": " + _parted(rt, error)[1])
        if error.frames and error.frames[0].source_line:
            text += "\n" + error.frames[0].source_line.strip()
        texts.append(text)
        error = cause
    return "\nпо причине:\n".join(texts)


@constructor("ИнформацияОбОшибке", "ErrorInfo", dialects=(ONESCRIPT,))
def new_error_info(rt: Any, description: Any, parameters: Any) -> ErrorInfo:
    value = None if parameters is MISSING else parameters
    return ErrorInfo(BslRuntimeError("raised", rt.text(description), parameters=value), thrown=False)


@builtin("ИнформацияОбОшибке", "ErrorInfo")
def error_info(rt: Any) -> ErrorInfo:
    return ErrorInfo(rt.last_error)


@builtin("ОписаниеОшибки", "ErrorDescription")
def error_description(rt: Any) -> str:
    return placed(rt, rt.last_error) if rt.last_error is not None else ""


def _error_of(info: Any, method: str) -> BslRuntimeError | None:
    if not isinstance(info, ErrorInfo):
        raise BslRuntimeError("argument_type", number=1, method=method)
    return info.error


@builtin("КраткоеПредставлениеОшибки", "BriefErrorDescription")
def brief_description(rt: Any, info: Any) -> str:
    return brief(rt, _error_of(info, "КраткоеПредставлениеОшибки"))


@builtin("ПодробноеПредставлениеОшибки", "DetailErrorDescription")
def detail_description(rt: Any, info: Any) -> str:
    return detailed(rt, _error_of(info, "ПодробноеПредставлениеОшибки"))


class ErrorProcessing(BslObject):
    """``ОбработкаОшибок`` of 1C."""

    __slots__ = ()
    type_name = ("МенеджерОбработкиОшибок", "ErrorProcessingManager")

    @member("КраткоеПредставлениеОшибки", "BriefErrorDescription")
    def brief_text(self, rt: Any, info: Any) -> str:
        return brief(rt, _error_of(info, "КраткоеПредставлениеОшибки"))

    @member("ПодробноеПредставлениеОшибки", "DetailErrorDescription")
    def detailed_text(self, rt: Any, info: Any) -> str:
        return detailed(rt, _error_of(info, "ПодробноеПредставлениеОшибки"))

    @member("КатегорияОшибкиДляПользователя", "ErrorCategoryForUser")
    def category_for_user(self, rt: Any, info: Any) -> Any:
        return error_category(_error_of(info, "КатегорияОшибкиДляПользователя"))

    @member("СообщениеОбОшибкеДляПользователя", "ErrorMessageForUser")
    def message_for_user(self, rt: Any, info: Any, category: Any = MISSING) -> str:
        return brief(rt, _error_of(info, "СообщениеОбОшибкеДляПользователя"))


def _register_error_processing() -> None:
    from scoring.engine.values.members import global_property

    manager = ErrorProcessing()
    global_property("ОбработкаОшибок", "ErrorProcessing", dialects=(ONEC,))(lambda rt: manager)


_register_error_processing()
