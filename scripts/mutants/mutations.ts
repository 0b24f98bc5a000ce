import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isTypeNode,
  isWhileStatement,
} from 'typescript/unstable/ast/is';

/** One small change of a file: `text` stands in place of what is between `start` and `end`. */
export type Mutation = { start: number; end: number; line: number; before: string; text: string };

const SWAPPED_OPERATORS = new Map<SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
  [SyntaxKind.PercentToken, '*'],
  [SyntaxKind.PlusEqualsToken, '-='],
  [SyntaxKind.MinusEqualsToken, '+='],
  [SyntaxKind.AmpersandToken, '|'],
  [SyntaxKind.BarToken, '&'],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
]);

const SWAPPED_METHODS = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
]);

/** What an expression that is returned is replaced by; the compiler refuses those that do not fit. */
const CONSTANTS = ['null', 'true', 'false', '0', '[]', "''"];

/** Messages of errors are free to change, so what is thrown stays as it is. */
const UNTOUCHED: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ThrowStatement,
]);

/** Calls whose loss no test has to notice. */
const UNOBSERVED = /^(this\.)?(deps\.|ctx\.deps\.)?(log|console)\b/;

type Add = (node: Node, text: string) => void;

function swapOperator(node: Node, add: Add): void {
  if (!isBinaryExpression(node)) return;
  const text = SWAPPED_OPERATORS.get(node.operatorToken.kind);
  if (text !== undefined) add(node.operatorToken, text);
  if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken) add(node, node.right.getText());
}

function negateCondition(node: Node, add: Add): void {
  const negated = (condition: Expression) => add(condition, `!(${condition.getText()})`);
  if (isIfStatement(node) || isWhileStatement(node)) negated(node.expression);
  if (isConditionalExpression(node)) negated(node.condition);
  const isNot = isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken;
  if (isNot) add(node, node.operand.getText());
}

function changeLiteral(node: Node, add: Add): void {
  if (node.kind === SyntaxKind.TrueKeyword) add(node, 'false');
  if (node.kind === SyntaxKind.FalseKeyword) add(node, 'true');
  if (!isNumericLiteral(node)) return;
  const value = Number(node.getText().replaceAll('_', ''));
  add(node, String(value + 1));
  add(node, `(${value - 1})`);
}

function swapMethod(node: Node, add: Add): void {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
  const text = SWAPPED_METHODS.get(node.expression.name.getText());
  if (text !== undefined) add(node.expression.name, text);
}

function returnConstant(node: Node, add: Add): void {
  const returned = isReturnStatement(node)
    ? node.expression
    : isArrowFunction(node) && !isBlock(node.body)
      ? node.body
      : undefined;
  if (returned === undefined) return;
  for (const constant of CONSTANTS) if (returned.getText() !== constant) add(returned, constant);
}

function removeStatement(node: Node, add: Add): void {
  const isRemovable = isExpressionStatement(node) && !UNOBSERVED.test(node.getText());
  if (isRemovable || node.kind === SyntaxKind.ContinueStatement) add(node, ';');
}

/** Every small change of a file, in the order of its text. Types and imports stay as they are. */
export function mutationsOf(source: SourceFile): Mutation[] {
  const mutations: Mutation[] = [];
  const add: Add = (node, text) => {
    const start = node.getStart(source);
    const line = source.text.slice(0, start).split('\n').length;
    const before = source.text.slice(start, node.end);
    mutations.push({ start, end: node.end, line, before, text });
  };
  const visit = (node: Node): void => {
    if (isTypeNode(node) || UNTOUCHED.has(node.kind)) return;
    swapOperator(node, add);
    negateCondition(node, add);
    changeLiteral(node, add);
    swapMethod(node, add);
    returnConstant(node, add);
    removeStatement(node, add);
    node.forEachChild(visit);
  };
  visit(source);
  return mutations;
}

export function mutate(text: string, { start, end, text: changed }: Mutation): string {
  return text.slice(0, start) + changed + text.slice(end);
}
