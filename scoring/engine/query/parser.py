"""The parser's upper half: batches, queries, sources, totals. ``parse`` is the door."""

from __future__ import annotations

from functools import lru_cache

from scoring.engine.errors import NotSupported
from scoring.engine.query import tree
from scoring.engine.query.expressions import ExpressionParser
from scoring.engine.query.failures import QueryError
from scoring.engine.query.lexer import END, NUMBER, PARAMETER, WORD
from scoring.engine.query.words import PERIODS

# Tables joined in one FROM: the genuine engine's database takes 256 at most.
MAX_JOINS = 255
_JOIN_KINDS = {"ВНУТРЕННЕЕ": "inner", "ЛЕВОЕ": "left", "ПРАВОЕ": "right", "ПОЛНОЕ": "full"}


@lru_cache(maxsize=2048)
def parse(text: str) -> tree.Batch:
    """The tree of a query text (a batch of one or more queries). Raises :class:`QueryError` or NotSupported.

    Cached per text: trees are never changed after parsing.
    """
    return Parser(text).batch()


class Parser(ExpressionParser):
    def batch(self) -> tree.Batch:
        statements: list[tree.Query | tree.Drop] = [self._statement()]
        while self.take_operator(";"):
            if self.token.kind == END:
                break
            statements.append(self._statement())
        if self.token.kind != END:
            self.fail()
        return tree.Batch(self.text, statements, tuple(self.parameter_names.values()))

    def _statement(self) -> tree.Query | tree.Drop:
        if self.at_keyword("УНИЧТОЖИТЬ"):
            at = self.advance().at
            return tree.Drop(at, self.need_name().text)
        return self.query()

    def query(self) -> tree.Query:
        at = self.token.at
        result = tree.Query(at, [], [])
        result.branches.append(self._select(result))
        while self.take_keyword("ОБЪЕДИНИТЬ"):
            result.union_all.append(self.take_keyword("ВСЕ") is not None)
            result.branches.append(self._select(result))
        self._tail(result)
        return result

    def _tail(self, result: tree.Query) -> None:
        """What stands behind the last branch; the genuine grammar allows ordering and indexing in either order."""
        while True:
            if self.take_keyword("УПОРЯДОЧИТЬ"):
                self.need_keyword("ПО")
                result.order = self._order_items()
            elif self.take_keyword("АВТОУПОРЯДОЧИВАНИЕ"):
                result.auto_order = True
            elif self.take_keyword("ИНДЕКСИРОВАТЬ"):
                self._index(result)
            elif self.at_keyword("ИТОГИ"):
                result.totals = self._totals()
            else:
                return

    def _index(self, result: tree.Query) -> None:
        self.need_keyword("ПО")
        if self.at_keyword("НАБОРАМ"):
            self.advance()
            self.need_operator("(")
            while True:
                self.need_operator("(")
                result.index += self._arguments_until_parenthesis()
                self.take_keyword("УНИКАЛЬНО")
                if not self.take_operator(","):
                    break
            self.need_operator(")")
            return
        result.index = self._expressions()
        self.take_keyword("УНИКАЛЬНО")

    def _expressions(self) -> list[tree.Node]:
        items = [self.expression()]
        while self.take_operator(","):
            items.append(self.expression())
        return items

    # -- one branch ----------------------------------------------------------------------------------------------------

    def _select(self, query: tree.Query) -> tree.Select:
        result = tree.Select(self.need_keyword("ВЫБРАТЬ").at)
        self._options(query, result)
        result.fields = self._fields()
        self._into(query)
        if self.take_keyword("ИЗ"):
            result.sources = self._sources()
        if self.take_keyword("ГДЕ"):
            result.where = self.expression()
        if token := self.take_keyword("СГРУППИРОВАТЬ"):
            result.group_at = token.at
            self._group(result)
        if token := self.take_keyword("ИМЕЮЩИЕ"):
            result.group_at = result.group_at or token.at
            result.having = self.expression()
        if token := self.take_keyword("ДЛЯ"):
            result.group_at = result.group_at or token.at
            self.need_keyword("ИЗМЕНЕНИЯ")
            result.for_update = True
            if self.at_name():
                self.path()
                while self.take_operator(","):
                    self.path()
        result.text_end = self.tokens[self.position - 1].end
        return result

    def _options(self, query: tree.Query, result: tree.Select) -> None:
        while True:
            if self.at_keyword("РАЗРЕШЕННЫЕ") and self._option_here():
                self.advance()
                query.allowed = True
            elif self.take_keyword("РАЗЛИЧНЫЕ"):
                result.distinct = True
            elif token := self.take_keyword("ПЕРВЫЕ"):
                result.top_at = token.at
                if self.token.kind != NUMBER or "." in self.token.text:
                    self.fail()
                result.top = int(self.advance().text)
            else:
                return

    def _option_here(self) -> bool:
        """РАЗРЕШЕННЫЕ is no reserved word: it may name a field where a comma, a dot or КАК follows."""
        return self.peek().text not in (",", ".") and self.peek().keyword != "КАК"

    def _into(self, query: tree.Query) -> None:
        if token := self.take_keyword("ПОМЕСТИТЬ"):
            name = self.need_name()
            query.into, query.into_at = name.text, name.at
        elif self.at_keyword("ДОБАВИТЬ") and self.peek().kind == WORD:
            token = self.advance()
            name = self.need_name()
            query.into, query.into_at, query.append = name.text, token.at, True

    def _group(self, result: tree.Select) -> None:
        self.need_keyword("ПО")
        if not self.at_keyword("ГРУППИРУЮЩИМ"):
            result.group = self._expressions()
            return
        self.advance()
        self.need_keyword("НАБОРАМ")
        self.need_operator("(")
        result.grouping_sets = [self._grouping_set()]
        while self.take_operator(","):
            result.grouping_sets.append(self._grouping_set())
        self.need_operator(")")
        result.group = []

    def _grouping_set(self) -> list[tree.Node]:
        self.need_operator("(")
        return [] if self.take_operator(")") else self._arguments_until_parenthesis()

    # -- the select list -----------------------------------------------------------------------------------------------

    def _fields(self) -> list[tree.SelectField]:
        items = [self._field()]
        while self.take_operator(","):
            items.append(self._field())
        return items

    def _field(self) -> tree.SelectField:
        token = self.token
        if self.take_operator("*"):
            return tree.SelectField(token.at, tree.Star(token.at))
        expression = self.expression()
        if isinstance(expression, tree.Path) and self.at_operator("."):
            if self.peek().text == "*":
                self.advance()
                self.advance()
                return tree.SelectField(token.at, tree.Star(token.at, expression.parts))
            if self.peek().text == "(":
                expression = self._nested_table(expression)
        if self.at_keyword("ПУСТАЯТАБЛИЦА"):
            self.fail()
        alias, alias_at = self._alias()
        return tree.SelectField(token.at, expression, alias, alias_at)

    def _nested_table(self, path: tree.Path) -> tree.Node:
        self.advance()
        self.advance()
        fields = self._fields()
        self.need_operator(")")
        return tree.NestedTable(path.at, path, fields)

    def _alias(self) -> tuple[str, int]:
        if self.take_keyword("КАК"):
            token = self.need_name()
            return token.text, token.at
        if self.at_name() and not self._clause_word():
            token = self.advance()
            return token.text, token.at
        return "", 0

    def _clause_word(self) -> bool:
        return self.at_keyword("ДОБАВИТЬ") and self.peek().kind == WORD and self.peek(2).keyword in ("ИЗ", "")

    # -- sources -------------------------------------------------------------------------------------------------------

    def _sources(self) -> list[tree.Node]:
        items = [self._joined()]
        while self.take_operator(","):
            items.append(self._joined())
        return items

    def _joined(self) -> tree.Node:
        left = self._source()
        joins = 0
        while (kind := self._join_kind()) is not None:
            joins += 1
            if joins > MAX_JOINS:
                raise NotSupported(f"more than {MAX_JOINS} joins in a query")
            at = self.token.at
            right = self._join_operand()
            self.need_keyword("ПО")
            left = tree.Join(at, kind, left, right, self.expression())
        return left

    def _join_operand(self) -> tree.Node:
        """The right side; a join that follows before its ПО belongs inside it: ``A JOIN B JOIN C ON … ON …``."""
        right = self._source()
        while (kind := self._join_kind()) is not None:
            at = self.token.at
            self.enter()
            inner = self._join_operand()
            self.leave()
            self.need_keyword("ПО")
            right = tree.Join(at, kind, right, inner, self.expression())
            if not self.at_keyword("ПО", *_JOIN_KINDS, "СОЕДИНЕНИЕ"):
                break
        return right

    def _join_kind(self) -> str | None:
        if self.take_keyword("СОЕДИНЕНИЕ"):
            return "inner"
        if not self.at_keyword(*_JOIN_KINDS):
            return None
        kind = _JOIN_KINDS[self.advance().keyword]
        if kind != "inner":
            self.take_keyword("ВНЕШНЕЕ")
        self.need_keyword("СОЕДИНЕНИЕ")
        return kind

    def _source(self) -> tree.Node:
        token = self.token
        if self.take_operator("("):
            return self._parenthesised_source(token.at)
        if token.kind == PARAMETER:
            name = self.parameter().name
            return tree.ParameterSource(token.at, name, self._alias()[0])
        if not self.at_name():
            self.fail()
        path = self.path()
        parameters = self._table_parameters() if self.take_operator("(") else None
        return tree.TableSource(token.at, path, self._alias()[0], parameters)

    def _parenthesised_source(self, at: int) -> tree.Node:
        self.enter()
        if self.at_keyword("ВЫБРАТЬ"):
            query = self.query()
            self.need_operator(")")
            self.leave()
            return tree.QuerySource(at, query, self._alias()[0])
        inner = self._joined()
        self.need_operator(")")
        self.leave()
        return inner

    def _table_parameters(self) -> list[tree.Node | None]:
        if self.take_operator(")"):
            return []
        items: list[tree.Node | None] = []
        while True:
            absent = self.at_operator(",") or self.at_operator(")")
            items.append(None if absent else self.expression())
            if self.take_operator(")"):
                return items
            self.need_operator(",")

    # -- ordering and totals -------------------------------------------------------------------------------------------

    def _order_items(self) -> list[tree.OrderItem]:
        items = [self._order_item()]
        while self.take_operator(","):
            items.append(self._order_item())
        return items

    def _order_item(self) -> tree.OrderItem:
        expression = self.expression()
        item = tree.OrderItem(expression.at, expression)
        while token := self.take_keyword("ВОЗР", "УБЫВ", "ИЕРАРХИИ"):
            if token.keyword == "ИЕРАРХИИ":
                item.hierarchy = True
            else:
                item.descending = token.keyword == "УБЫВ"
        return item

    def _totals(self) -> tree.Totals:
        at = self.advance().at
        fields = [] if self.at_keyword("ПО") else self._fields()
        self.need_keyword("ПО")
        points = [self._totals_point()]
        while self.take_operator(","):
            points.append(self._totals_point())
        return tree.Totals(at, fields, points)

    def _totals_point(self) -> tree.TotalsPoint:
        at = self.token.at
        if self.at_keyword("ОБЩИЕ") and self.peek().text != ".":
            self.advance()
            return tree.TotalsPoint(at, None, alias=self._alias()[0])
        point = tree.TotalsPoint(at, self.expression())
        if self.at_keyword("ТОЛЬКО") and self.peek().keyword == "ИЕРАРХИИ":
            self.advance()
            self.advance()
            point.mode = "only_hierarchy"
        elif self.take_keyword("ИЕРАРХИИ"):
            point.mode = "hierarchy"
        elif self.take_keyword("ПЕРИОДАМИ"):
            point.period = self._periods()
        point.alias = self._alias()[0]
        return point

    def _periods(self) -> tuple[str, tree.Node | None, tree.Node | None]:
        self.need_operator("(")
        part = PERIODS.get(self.token.text.upper())
        if part is None:
            self.fail()
            raise QueryError("")
        self.advance()
        bounds: list[tree.Node | None] = []
        while self.take_operator(","):
            absent = self.at_operator(",") or self.at_operator(")")
            bounds.append(None if absent else self.expression())
        self.need_operator(")")
        bounds += [None, None]
        return part, bounds[0], bounds[1]
