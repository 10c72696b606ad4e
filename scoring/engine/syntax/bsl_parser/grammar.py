"""The language as the syntax oracle of category A parses it, in our own notation, and its reading into a tree.

One rule a line: ``name = sequence | sequence``. Capitals are kinds of token (``tokens.KINDS``), small letters are
rules, ``[A B]`` is one token out of a set, ``( )`` groups, and ``?``, ``*``, ``+`` stand behind what they repeat.
What a parser of this family reports depends on the cut into rules as much as on the language: an error is caught
by the rule it happens in, and recovery goes by what may follow that rule. So the cut is the oracle's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

GRAMMAR = """
module       = shebang? uses? directive* module_vars? directive* (early_block routines)? late_block EOF
native       = HASH PP_NATIVE
library      = [PP_STRING PP_NAME]
use          = HASH PP_USE library
uses         = native use* | use+ native? use*
shebang      = HASH BANG [PP_NAME PP_OTHER]*

region       = PP_REGION region_name
end_region   = PP_END_REGION
region_name  = PP_NAME
pp_if        = PP_IF pp_condition PP_THEN
pp_elsif     = PP_ELSIF pp_condition PP_THEN
pp_else      = PP_ELSE
pp_end_if    = PP_END_IF
pp_condition = PP_NOT? PP_LPAREN pp_condition PP_RPAREN | pp_logic
pp_operand   = PP_LPAREN PP_NOT? pp_operand PP_RPAREN | PP_NOT? pp_symbol | PP_LPAREN pp_logic PP_RPAREN
pp_logic     = pp_operand (pp_junction pp_operand)*
pp_symbol    = PP_SYMBOL | pp_unknown
pp_unknown   = PP_NAME
pp_junction  = [PP_OR PP_AND]
directive    = HASH (region | end_region | pp_if | pp_elsif | pp_else | pp_end_if)

context_name = [DIRECTIVE]
context      = AMPERSAND context_name
note_name    = [ANNOTATION]
note_key     = NAME
note         = AMPERSAND note_name note_args?
note_args    = LPAREN (note_arg (COMMA note_arg)*)? RPAREN
note_arg     = note_key (ASSIGN note_value)? | note_value
note_value   = constant | note

var_name     = NAME
module_vars  = module_var+
module_var   = (directive | context | note)* VAR module_names SEMICOLON?
module_names = module_name (COMMA module_name)*
module_name  = var_name EXPORT?
local_vars   = local_var+
local_var    = (directive | context | note)* VAR local_names SEMICOLON?
local_names  = local_name (COMMA local_name)*
local_name   = var_name

routine_name = NAME
routines     = routine+
routine      = procedure | function
procedure    = proc_head routine_body END_PROCEDURE
function     = func_head routine_body END_FUNCTION
proc_head    = (directive | context | note)* ASYNC? PROCEDURE routine_name LPAREN parameters? RPAREN EXPORT?
func_head    = (directive | context | note)* ASYNC? FUNCTION routine_name LPAREN parameters? RPAREN EXPORT?
routine_body = local_vars? block
parameters   = parameter (COMMA parameter)*
parameter    = note* VAL? NAME (ASSIGN default)?
default      = constant

continue     = CONTINUE
break        = BREAK
raise        = RAISE (arguments | expression)?
if           = if_branch elsif_branch* else_branch? END_IF
if_branch    = IF expression THEN block
elsif_branch = ELSIF expression THEN block
else_branch  = ELSE block
while        = WHILE expression DO block END_DO
for          = FOR NAME ASSIGN expression TO expression DO block END_DO
for_each     = FOR EACH NAME IN expression DO block END_DO
try          = TRY try_block EXCEPT except_block END_TRY
return       = RETURN expression?
execute      = EXECUTE (arguments | argument_list)
call         = (NAME | global_call) accessor* call_step | global_call
wait         = wait_for
label_name   = NAME
label        = TILDE label_name COLON
goto         = GOTO TILDE label_name
try_block    = block
except_block = block
event        = expression
handler      = expression
add_handler  = ADD_HANDLER event COMMA handler
remove_handler = REMOVE_HANDLER event COMMA handler
early_block  = block
late_block   = block
block        = (statement | directive)*

statement    = (label (call | wait | compound | assignment | directive)? \
               | (call | wait | compound | assignment | directive)) SEMICOLON? | SEMICOLON
compound     = if | while | for | for_each | try | return | continue | break | raise | execute | goto \
               | add_handler | remove_handler
assignment   = target directive* ASSIGN expression
target       = (NAME | global_call) path?
path         = accessor* (property_step | index_step)

number       = [WHOLE FRACTION]
constant     = [PLUS MINUS]? number | string | TRUE | FALSE | UNDEFINED | NULL | DATE
long_string  = STRING_START (STRING_PART | BAR | directive)* STRING_TAIL
string       = (STRING | long_string)+

argument_list = argument (COMMA argument)*
argument     = expression?
expression   = directive* member (directive* operation directive* member directive*)*
operation    = PLUS | MINUS | MUL | DIV | MOD | junction | comparison
comparison   = [ASSIGN LESS_EQUAL NOT_EQUAL LESS GREATER_EQUAL GREATER]
junction     = [OR AND]
sign         = [PLUS MINUS NOT]
member       = sign? (constant | value | LPAREN expression RPAREN accessor* | (NAME | global_call) | wait_for)
ternary      = QUESTION LPAREN expression COMMA expression COMMA expression RPAREN
wait_for     = AWAIT expression
creation     = NEW type_name arguments? | NEW arguments
type_name    = NAME
method_call  = method_name arguments
global_call  = method_name arguments
method_name  = NAME
value        = (NAME | creation | ternary | global_call) accessor*
accessor     = property_step | index_step | call_step
call_step    = DOT method_call
index_step   = LBRACK expression RBRACK
property_step = DOT NAME
arguments    = LPAREN argument_list RPAREN
"""


@dataclass(frozen=True, slots=True)
class Token:
    """One token out of ``kinds``; ``is_set`` where it was written as a set, which recovers a little differently."""

    kinds: tuple[str, ...]
    is_set: bool


@dataclass(frozen=True, slots=True)
class Rule:
    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Alternatives; ``repeat`` is ``""``, ``?``, ``*`` or ``+``."""

    alternatives: tuple[Sequence, ...]
    repeat: str


Item = Token | Rule | Block

_PIECES = re.compile(r"\[[^\]]*\]|\w+|[()|?*+]")


class _Reader:
    def __init__(self, text: str) -> None:
        self.pieces = _PIECES.findall(text) + [""]
        self.at = 0

    def alternatives(self) -> tuple[Sequence, ...]:
        found = [self.sequence()]
        while self.pieces[self.at] == "|":
            self.at += 1
            found.append(self.sequence())
        return tuple(found)

    def sequence(self) -> Sequence:
        items: list[Item] = []
        while self.pieces[self.at] not in ("", ")", "|"):
            items.append(self.item())
        return Sequence(tuple(items))

    def item(self) -> Item:
        piece = self.pieces[self.at]
        self.at += 1
        inner: Item
        if piece == "(":
            alternatives = self.alternatives()
            self.at += 1
            return Block(alternatives, self.repeat())
        if piece[0] == "[":
            inner = Token(tuple(piece[1:-1].split()), True)
        else:
            inner = Token((piece,), False) if piece.isupper() else Rule(piece)
        repeat = self.repeat()
        return Block((Sequence((inner,)),), repeat) if repeat else inner

    def repeat(self) -> str:
        piece = self.pieces[self.at]
        if piece not in ("?", "*", "+"):
            return ""
        self.at += 1
        return piece


def rules() -> dict[str, Block | Sequence]:
    """Every rule of :data:`GRAMMAR` by name, the start rule first; a rule of one alternative is a plain sequence."""
    found: dict[str, Block | Sequence] = {}
    for line in filter(None, GRAMMAR.replace("\\\n", " ").split("\n")):
        name, _, body = line.partition("=")
        alternatives = _Reader(body).alternatives()
        found[name.strip()] = alternatives[0] if len(alternatives) == 1 else Block(alternatives, "")
    return found
