import { whyHarmlessContentLines } from './content-lines.ts'
import { whyHarmlessDocument } from './documents.ts'
import { harmlessJson } from './json.ts'
import { withoutTagsForSql } from './sql-markup.ts'
import { isNameWithMark, whyNoStatement } from './sql-names.ts'
import { beginsStatement, SqlReader } from './sql-statements.ts'
import { plainSqlText, type SqlToken, sqlTokens } from './sql-tokens.ts'
import {
  clauseWords,
  comparisonWords,
  constantWords,
  determiners,
  functions,
  logicalWords,
  statementWords,
  tellingName,
} from './sql-words.ts'
import { readableText, withoutMarksOfErrors } from './text.ts'
import { withoutWikiTables } from './wiki-tables.ts'

/** Operators of MongoDB and its like. */
const documentOperator =
  /\$(?:n?eq|ne|[gl]te?|n?in|n?or|and|not|exists|type|expr|where|regex|options|text|mod|all|elemMatch|size|function|accumulator|lookup|match|group|func|comment|slice|meta)\b/i

/** What separates a value from the rest of a statement when it is not in quotes. */
const comparison = /^(?:=|<|>|<=|>=|<>|!=|<=>|:=)$/

const arithmetic = /^(?:\+|-|\*|\/|%|\^|\||&|\|\||&&|~)$/

/** What ends a word that English has shortened, or that French begins: no keyword. */
const contraction = /^(?:t|s|re|ve|ll|d|m|em|til|cause|n|clock)$/

/**
 * Why a text changes no statement of SQL wherever an application puts it: within quotation marks of any sort, as a number, as a name, behind
 * ORDER BY, or as the whole. It has to be a text that people write, or JSON; and nothing in it may read as SQL that goes on behind a
 * quotation mark, as a condition, as a call of a function, or as a statement whose grammar fits.
 *
 * @param value a byte string
 * @returns undefined where it may do harm, or that is not certain
 */
export function whyHarmlessSql(value: string): string | undefined {
  const text = readableText(value)
  if (text === undefined || documentOperator.test(text)) return undefined
  const ofDocument = whyHarmlessDocument(text, isHarmlessPart)
  if (ofDocument !== undefined) return ofDocument
  const plain = whyNoStatement(text)
  if (plain !== undefined) return plain
  const tokens = sqlTokens(withoutWikiTables(plainSqlText(withoutMarksOfErrors(text))))
  if (isNameWithMark(text, tokens) && !hasHarmful(tokens, true))
    return 'a word stands behind its first quotation mark where a statement has none'
  if (!isProse(tokens) || hasHarmful(tokens)) return undefined
  return 'no part of it reads as SQL, neither behind a quotation mark nor as a statement'
}

/**
 * Whether nothing in a text reads as SQL, for values in which rules looked for something else: these need not be sentences.
 *
 * @param value a byte string
 */
export function hasNoSql(value: string): boolean {
  const text = readableText(value)
  if (text === undefined || documentOperator.test(text)) return false
  const ofDocument = harmlessJson(text, hasNoSql) ?? whyHarmlessContentLines(text, hasNoSql)
  if (ofDocument !== undefined) return true
  return (
    whyHarmlessSql(value) !== undefined ||
    !hasHarmful(sqlTokens(withoutTagsForSql(plainSqlText(withoutMarksOfErrors(text)))))
  )
}

/** Letters, digits and few marks; apostrophes within names. */
const plainPart = /^(?:[\p{L}\p{N}\p{M} ._:@%/?&=+,-]|(?<=\p{L})['’](?=\p{L}))*$/u

/** Names and plain values need no sentence around them. */
function isHarmlessPart(value: string): boolean {
  if (whyHarmlessSql(value) !== undefined) return true
  const text = readableText(value)
  if (text === undefined || !plainPart.test(text)) return false
  return !hasHarmful(sqlTokens(plainSqlText(text)))
}

/** @param quotesEndNothing that a string which the text is put into would end with a mistake */
function hasHarmful(tokens: readonly SqlToken[], quotesEndNothing = false): boolean {
  const reader = new SqlReader(tokens)
  return tokens.some(
    ({ kind }, index) =>
      isHarmful(reader, index) && !(quotesEndNothing && kind === 'quote' && !isNumberInQuotes(reader, index)),
  )
}

/** More words than marks, and words enough to be a sentence. */
function isProse(tokens: readonly SqlToken[]): boolean {
  let words = 0
  let marks = 0
  for (const { kind, text, isApart } of tokens) {
    if (kind === 'word' && isApart && text.length > 1 && /^\p{L}+$/u.test(text) && !statementWords.has(text))
      words++
    else if (kind !== 'word' && kind !== 'number' && !/^[.,:!?/-]$/.test(text)) marks++
  }
  return words >= 3 && words >= marks
}

function isHarmful(reader: SqlReader, index: number): boolean {
  const { kind, text } = reader.at(index)
  switch (kind) {
    case 'comment':
      return isComment(reader, index)
    case 'quote':
      return isNumberInQuotes(reader, index) || goesOnBehindQuote(reader, index)
    case 'word':
      return isHarmfulWord(reader, index)
    case 'mark':
      if (text === '@@') return reader.isWord(index + 1)
      if (text === '&&' || text === '||') return isCondition(reader, index + 1)
      if (comparison.test(text)) return isConstant(reader, index - 1) && isConstant(reader, index + 1)
      return text === '\\' && reader.at(index + 1).kind === 'quote'
    default:
      return false
  }
}

/** As attacks write it for an answer that is certain; in sentences hardly anybody puts a number in quotation marks. */
function isNumberInQuotes(reader: SqlReader, index: number): boolean {
  return reader.at(index + 1).kind === 'number' && reader.at(index + 2).text === reader.at(index).text
}

/** Constants on both sides of a comparison are no question to a table, but one whose answer is certain. */
function isConstant(reader: SqlReader, index: number): boolean {
  const { kind, text } = reader.at(index)
  return kind === 'number' || (kind === 'word' && constantWords.has(text))
}

function isComment(reader: SqlReader, index: number): boolean {
  const { text, isApart } = reader.at(index)
  const before = reader.at(index - 1)
  if (text === '/*' || text === '*/') return true
  if (text === '#')
    return before.kind === 'quote' || before.kind === 'number' || reader.at(index + 1).kind === 'end'
  if (before.kind === 'quote' || before.text === ')' || before.text === ';') return true
  if (text.length > 2) return before.kind === 'number'
  // In sentences a dash stands between words.
  return !(isApart && before.kind !== 'number') && !(before.kind === 'word' && reader.isWord(index + 1))
}

function isHarmfulWord(reader: SqlReader, index: number): boolean {
  const { text } = reader.at(index)
  if (tellingName.test(text)) return true
  if (functions.has(text) && reader.isOneOf(index + 1, '(') && !reader.at(index + 1).isApart) {
    return !(reader.isOneOf(index - 1, '.') && reader.isWord(index - 2))
  }
  if (text === 'union' || text === 'except' || text === 'intersect') return isUnion(reader, index + 1)
  if (text === 'case') return reader.isOneOf(index + 1, 'when') || reader.isOneOf(index + 2, 'when')
  if (text === 'order' || text === 'group') return isOrder(reader, index + 1)
  if (text === 'into') return reader.isOneOf(index + 1, '@', '@@')
  if (text === 'in') return reader.isOneOf(index + 1, '(')
  if (text === 'procedure') return reader.isOneOf(index + 1, 'analyse')
  if (logicalWords.has(text)) return isCondition(reader, index + 1)
  return beginsStatement(reader, index)
}

/** @param index behind ORDER or GROUP */
function isOrder(reader: SqlReader, index: number): boolean {
  return reader.isOneOf(index, 'by') && (!reader.isWord(index + 1) || !reader.isWord(index + 2))
}

/** @param index behind UNION */
function isUnion(reader: SqlReader, index: number): boolean {
  for (let at = index; at < index + 8; at++) {
    const { kind, text } = reader.at(at)
    if (text === 'select' || text === 'values') return true
    if (kind === 'word' && text !== 'all' && text !== 'distinct') return false
    if (kind === 'end') return false
  }
  return true
}

/** How many pieces a condition is followed over. */
const conditionMax = 40

/**
 * Whether a condition stands there that a database would reckon, and no words of a sentence.
 *
 * @param index behind AND, OR, WHERE and the like
 */
function isCondition(reader: SqlReader, index: number): boolean {
  let at = index
  for (let count = 0; count < conditionMax; count++) {
    while (/^(?:not|!|~|\+|-|\(|binary|any|all|exists|row)$/.test(reader.at(at).text)) at++
    const { kind, text } = reader.at(at)
    const isBracketed = reader.isOneOf(at - 1, '(')
    if (text === '@' || text === '@@') return true
    if (isBracketed && text === 'select') return true
    if (kind === 'quote') return isQuotedOperand(reader, at)
    if (kind === 'number' || (kind === 'word' && constantWords.has(text)))
      return fitsBehindOperand(reader, at + 1)
    if (kind !== 'word' || (determiners.has(text) && !comparison.test(reader.at(at + 1).text))) return false
    // A name, with its table before it.
    while (reader.isOneOf(at + 1, '.') && reader.isWord(at + 2) && !reader.at(at + 2).isApart) at += 2
    const next = reader.at(at + 1)
    if (next.text === '(' && !next.isApart) return true
    if (comparison.test(next.text)) return true
    if (next.kind === 'word' && comparisonWords.has(next.text)) return isComparedTo(reader, at + 1)
    if (!logicalWords.has(next.text)) return false
    at += 2
  }
  return true
}

function isComparedTo(reader: SqlReader, index: number): boolean {
  const { text } = reader.at(index)
  const next = reader.at(index + 1)
  if (text === 'is')
    return next.text === 'null' || next.text === 'not'
      ? !reader.isWord(index + 2) || constantWords.has(reader.at(index + 2).text)
      : false
  if (text === 'collate') return true
  if (text === 'not') return next.text === text || isComparedTo(reader, index + 1)
  return next.kind === 'quote' || next.kind === 'number' || next.text === '(' || next.text === '@'
}

/** Whether a word in quotation marks is compared, or ends the text, so that the statement's own mark closes it. */
function isQuotedOperand(reader: SqlReader, index: number): boolean {
  const quote = reader.at(index).text
  for (let at = index + 1; at < index + 30; at++) {
    const { kind, text } = reader.at(at)
    if (kind === 'end') return true
    if (text !== quote) continue
    const next = reader.at(at + 1)
    if (next.kind !== 'word') return next.kind !== 'mark' || !/^[.,:!?]$/.test(next.text)
    return logicalWords.has(next.text) || comparisonWords.has(next.text) || clauseWords.has(next.text)
  }
  return false
}

function fitsBehindOperand(reader: SqlReader, index: number): boolean {
  const { kind, text } = reader.at(index)
  if (kind === 'end' || kind === 'comment' || kind === 'quote') return true
  if (kind === 'word') return logicalWords.has(text) || clauseWords.has(text) || comparisonWords.has(text)
  if (/^(?:;|\))$/.test(text) || comparison.test(text)) return true
  if (!arithmetic.test(text)) return false
  const next = reader.at(index + 1)
  return next.kind === 'number' || next.kind === 'quote' || next.kind === 'word' || next.text === '('
}

/** Whether what follows a quotation mark would go on with a statement whose string ends there. */
function goesOnBehindQuote(reader: SqlReader, index: number): boolean {
  const isApostrophe =
    reader.at(index).text === "'" &&
    !reader.at(index).isApart &&
    reader.isWord(index - 1) &&
    reader.isWord(index + 1)
  if (isApostrophe && !reader.at(index + 1).isApart && contraction.test(reader.at(index + 1).text))
    return false
  let at = index + 1
  while (/^[)\]]$/.test(reader.at(at).text)) at++
  const { kind, text } = reader.at(at)
  const next = reader.at(at + 1)
  if (kind === 'comment') return true
  if (kind === 'number') return false
  if (kind === 'word') return wordGoesOn(reader, at)
  if (kind !== 'mark') return false
  if (text === ';') return next.kind === 'comment' || (next.kind === 'word' && statementWords.has(next.text))
  if (text === '=') return true
  if (text === ',')
    return next.kind === 'quote' || next.kind === 'number' || next.text === '(' || next.text === 'null'
  if (text === '>' || text === '<') return isValue(next) && !(text === '<' && next.kind === 'word')
  if (text === '|' || text === '&' || text === '*') return isValue(next) || next.kind === 'word'
  if (text === '-') return isValue(next) || (next.kind === 'word' && !next.isApart) || next.text === '-'
  if (text === '/')
    return (
      next.text !== '>' &&
      (isValue(next) ||
        (next.kind === 'word' && !/^[/.-]$/.test(reader.at(at + 2).text) && !reader.isQuery(at + 2)))
    )
  return (
    text === '::' ||
    comparison.test(text) ||
    (arithmetic.test(text) && (isValue(next) || next.kind === 'word'))
  )
}

function isValue({ kind, text }: SqlToken): boolean {
  return kind === 'number' || kind === 'quote' || /^(?:\(|@|@@|~|!|-|\+)$/.test(text)
}

function wordGoesOn(reader: SqlReader, index: number): boolean {
  const { text } = reader.at(index)
  const next = reader.at(index + 1)
  if (text === 'not') return next.text === text || wordGoesOn(reader, index + 1)
  if (logicalWords.has(text)) return isCondition(reader, index + 1)
  if (comparisonWords.has(text)) return isComparedTo(reader, index)
  if (text === 'limit' || text === 'offset')
    return next.kind === 'number' || next.kind === 'quote' || next.text === '('
  if (text === 'order' || text === 'group') return isOrder(reader, index + 1)
  if (text === 'from') return !determiners.has(next.text) && !reader.isWord(index + 2)
  if (text === 'into') return next.text === 'outfile' || next.text === 'dumpfile' || next.text === '@'
  if (text === 'union' || text === 'except' || text === 'intersect') return isUnion(reader, index + 1)
  return beginsStatement(reader, index)
}
