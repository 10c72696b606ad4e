import com.github._1c_syntax.bsl.parser.*;
import java.nio.charset.StandardCharsets; import java.nio.file.*; import java.util.*; import java.io.*;
import org.antlr.v4.runtime.*; import org.antlr.v4.runtime.tree.*;
/**
 * Asks the genuine parser of BSL Language Server (bsl-parser, LGPL, not part of this project) about texts.
 * Arguments: file of texts separated by NUL, file for the answers: one line a text, "errors|missing tokens|returns",
 * each a comma-separated list of line:column (line from 1, column from 0), as ParseErrorDiagnostic and
 * ProcedureReturnsValueDiagnostic place them; "X reason" where the tool itself failed.
 */
public class GenuineParser {
  static void walk(ParseTree t, boolean inProc, List<String> e, List<String> m, List<String> b) {
    if (t instanceof ErrorNode) { ErrorNode n=(ErrorNode)t; if (n.getSymbol().getTokenIndex()==-1) { Token s=((ParserRuleContext)n.getParent()).getStart(); m.add(s.getLine()+":"+s.getCharPositionInLine()); } }
    if (t instanceof ParserRuleContext) { ParserRuleContext c=(ParserRuleContext)t;
      if (c.exception!=null) { Token k=c.exception.getOffendingToken(); if (k.getType()==-1) k=c.getStart(); e.add(k.getLine()+":"+k.getCharPositionInLine()); }
      if (c.getRuleIndex()==BSLParser.RULE_procedure) inProc=true;
      if (inProc && c.getRuleIndex()==BSLParser.RULE_returnStatement && c.getChildCount()>1) b.add(c.getStart().getLine()+":"+c.getStart().getCharPositionInLine());
      for (int i=0;i<c.getChildCount();i++) walk(c.getChild(i), inProc, e, m, b);
    }
  }
  public static void main(String[] a) throws Exception {
    String all = new String(Files.readAllBytes(Paths.get(a[0])), StandardCharsets.UTF_8);
    String[] texts = all.split("\u0000", -1);
    PrintWriter out = new PrintWriter(a[1], "UTF-8");
    Thread th = new Thread(null, () -> {
    for (String s : texts) {
      try {
        BSLTokenizer tk = new BSLTokenizer(s);
        ParserRuleContext f = tk.getAst();
        List<String> e=new ArrayList<>(), m=new ArrayList<>(), b=new ArrayList<>();
        walk(f,false,e,m,b);
        out.println(String.join(",",e)+"|"+String.join(",",m)+"|"+String.join(",",b));
      } catch (Throwable x) { out.println("X "+x.getClass().getSimpleName()); }
    } }, "w", 512L<<20);
    th.start(); th.join(); out.close();
  }
}
