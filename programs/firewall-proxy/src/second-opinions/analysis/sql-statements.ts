import { endToken, type SqlToken } from './sql-tokens.ts'
import { clauseWords, determiners, logicalWords, statementWords } from './sql-words.ts'

/** Reads pieces of a text one after the other. */
export class SqlReader {
  readonly #tokens: readonly SqlToken[]

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens
  }

  at(index: number): SqlToken {
    return this.#tokens[index] ?? endToken
  }

  isOneOf(index: number, ...texts: readonly string[]): boolean {
    return texts.includes(this.at(index).text)
  }

  isWord(index: number): boolean {
    return this.at(index).kind === 'word'
  }

  /** Whether a name of a table or column may stand there, also in quotes or brackets. */
  isName(index: number): boolean {
    const { kind, text } = this.at(index)
    return (kind === 'word' && !determiners.has(text)) || kind === 'quote' || text === '[' || text === '@'
  }

  /** Whether the query of an address begins there: `?w=`. */
  isQuery(index: number): boolean {
    return this.isOneOf(index, '?') && this.isWord(index + 1) && this.isOneOf(index + 2, '=')
  }

  /** Whether a statement, or the text, is over there. */
  isOver(index: number): boolean {
    const { kind, text } = this.at(index)
    return kind === 'end' || kind === 'comment' || kind === 'quote' || text === ';' || text === ')'
  }
}

/** How many pieces the list of a SELECT is followed over. */
const listMax = 400

const kindsOfObjects = new Set(
  'table database schema view index user procedure function trigger column role sequence login extension aggregate package proc type tablespace event server'.split(
    ' ',
  ),
)

const adjectivesOfObjects = new Set(
  'or replace temporary temp unique global local if not exists materialized recursive external foreign unlogged virtual fulltext clustered nonclustered definer algorithm ignore low_priority quick delayed high_priority only into from'.split(
    ' ',
  ),
)

/** Whether a statement of SQL begins there whose grammar fits, and which is no sentence of English. */
export function beginsStatement(reader: SqlReader, index: number): boolean {
  const { kind, text } = reader.at(index)
  if (kind !== 'word' || !statementWords.has(text)) return false
  switch (text) {
    case 'select':
      return isSelect(reader, index + 1)
    case 'update':
      return isUpdate(reader, index + 1)
    case 'insert':
    case 'replace':
    case 'merge': {
      const name = afterAdjectives(reader, index + 1)
      return reader.isOneOf(name - 1, 'into') && reader.isName(name)
    }
    case 'delete': {
      const name = afterAdjectives(reader, index + 1)
      return reader.isOneOf(name - 1, 'from') && reader.isName(name) && endsName(reader, name)
    }
    case 'drop':
    case 'alter':
    case 'create':
    case 'truncate':
    case 'rename':
    case 'lock':
      return isAboutObject(reader, index + 1)
    case 'exec':
    case 'execute':
      return isExecution(reader, index + 1)
    case 'declare':
      return reader.isOneOf(index + 1, '@') || reader.isOneOf(index + 2, 'cursor', 'int', 'varchar', 'char')
    case 'waitfor':
      return reader.isOneOf(index + 1, 'delay', 'time')
    case 'set':
      return (
        reader.isOneOf(index + 1, '@', '@@', 'global', 'session', 'names', 'role') ||
        (reader.isWord(index + 1) && reader.isOneOf(index + 2, '=', ':='))
      )
    case 'call':
      return reader.isWord(index + 1) && reader.isOneOf(index + 2, '(', '.')
    case 'grant':
    case 'revoke':
      return (
        [2, 3, 4, 5].some((ahead) => reader.isOneOf(index + ahead, 'on')) ||
        reader.isOneOf(index + 2, 'to', ',')
      )
    case 'load':
    case 'bulk':
      return reader.isOneOf(index + 1, 'data', 'xml', 'insert')
    case 'copy':
      return [2, 3].some(
        (ahead) =>
          reader.isOneOf(index + ahead, 'from', 'to') &&
          (reader.isOneOf(index + ahead + 1, 'program', 'stdin', 'stdout') ||
            reader.at(index + ahead + 1).kind === 'quote'),
      )
    case 'with':
      return [2, 3].some(
        (ahead) => reader.isOneOf(index + ahead, 'as') && reader.isOneOf(index + ahead + 1, '('),
      )
    case 'shutdown':
    case 'reconfigure':
      return reader.isOver(index + 1) || reader.isOneOf(index + 1, 'with')
    case 'handler':
      return reader.isOneOf(index + 2, 'open', 'read')
    case 'attach':
      return reader.isOneOf(index + 1, 'database') || reader.at(index + 1).kind === 'quote'
    case 'show':
      return reader.isOneOf(index + 1, 'tables', 'databases', 'columns', 'grants', 'variables', 'schemas')
    case 'explain':
    case 'describe':
    case 'desc':
      return reader.isOneOf(index + 1, 'select', 'insert', 'update', 'delete') && reader.isName(index + 2)
    case 'backup':
    case 'restore':
      return reader.isOneOf(index + 1, 'database', 'log')
    case 'pragma':
      return reader.isWord(index + 1) && (reader.isOneOf(index + 2, '=', '(') || reader.isOver(index + 2))
    case 'if':
    case 'while':
      return reader.isOneOf(index + 1, '(') && !reader.at(index + 1).isApart
    case 'begin':
    case 'do':
      return reader.isOneOf(index + 1, '$', 'select', 'insert', 'update', 'delete', 'declare', 'sleep')
    case 'values':
    case 'table':
      return false
    default:
      return reader.isOver(index + 2) && reader.isName(index + 1) && reader.isOneOf(index + 2, ';')
  }
}

function afterAdjectives(reader: SqlReader, index: number): number {
  let at = index
  while (reader.isWord(at) && adjectivesOfObjects.has(reader.at(at).text)) at++
  return at
}

function endsName(reader: SqlReader, index: number): boolean {
  const next = reader.at(index + 1)
  return (
    reader.at(index).kind !== 'word' ||
    reader.isOver(index + 1) ||
    next.kind !== 'word' ||
    clauseWords.has(next.text) ||
    logicalWords.has(next.text) ||
    statementWords.has(next.text)
  )
}

function isUpdate(reader: SqlReader, index: number): boolean {
  for (let at = index; at < index + 12; at++) {
    if (reader.isOneOf(at, 'set')) {
      return (
        at > index &&
        (reader.isName(at + 1) || reader.isOneOf(at + 1, '(')) &&
        hasSoon(reader, at + 1, '=', 8)
      )
    }
    if (reader.isOver(at) && reader.at(at).kind !== 'quote') return false
  }
  return false
}

function hasSoon(reader: SqlReader, index: number, text: string, count: number): boolean {
  for (let at = index; at < index + count; at++) if (reader.isOneOf(at, text)) return true
  return false
}

function isAboutObject(reader: SqlReader, index: number): boolean {
  const kind = afterAdjectives(reader, index)
  if (!kindsOfObjects.has(reader.at(kind).text)) return false
  const name = afterAdjectives(reader, kind + 1)
  return (
    reader.isName(name) &&
    (endsName(reader, name) ||
      reader.isOneOf(
        name + 1,
        'add',
        'cascade',
        'modify',
        'change',
        'rename',
        'identified',
        'returns',
        'owner',
        'to',
        'password',
      ))
  )
}

function isExecution(reader: SqlReader, index: number): boolean {
  const { kind, text } = reader.at(index)
  return /^(?:sp_|xp_|master$|msdb$|immediate$|sys$|@|\(|\[)/.test(text) || kind === 'quote'
}

/** @param index behind the word `select` */
function isSelect(reader: SqlReader, index: number): boolean {
  const first = reader.at(index)
  // Nothing of English has these there; the rest need not be looked at.
  if (/^(?:\*|@|@@|\()$/.test(first.text) || first.kind === 'comment') return true
  if (first.kind === 'quote' || (first.kind === 'mark' && /^[-+~!\\{]$/.test(first.text))) return true
  if (first.kind === 'number') return isNoNoun(reader, index + 1)
  if (first.kind !== 'word') return false
  if (['distinct', 'top', 'sql_calc_found_rows', 'straight_join', 'case', 'null'].includes(first.text))
    return true
  if (reader.isOneOf(index + 1, '(') && !reader.at(index + 1).isApart) return true
  if (reader.isOneOf(index + 1, '.') && reader.isWord(index + 2) && !reader.at(index + 2).isApart) return true
  // What is called "the", or comes from a table "the", does not exist.
  if (determiners.has(first.text)) return false
  const from = fromOf(reader, index)
  if (from === undefined) return reader.isOneOf(index + 1, ',', ';') && beginsNoSentence(reader, index + 1)
  return reader.isName(from + 1) || reader.isOneOf(from + 1, '(')
}

/** Whether what follows a number in the list of a SELECT is not what English counts. */
function isNoNoun(reader: SqlReader, index: number): boolean {
  return (
    !reader.isWord(index) || clauseWords.has(reader.at(index).text) || logicalWords.has(reader.at(index).text)
  )
}

function beginsNoSentence(reader: SqlReader, index: number): boolean {
  return reader.at(index + 1).kind === 'number' || reader.at(index + 1).kind === 'end'
}

/** Where the FROM of a list is; undefined where none fits. A sentence has three plain words in a row in between, a list has none. */
function fromOf(reader: SqlReader, index: number): number | undefined {
  let inRow = 0
  for (let at = index; at < index + listMax; at++) {
    const { kind, text } = reader.at(at)
    if (text === 'from') return at
    if (kind === 'end' || text === ';') return undefined
    const isPlain = kind === 'word' && text !== 'as' && !logicalWords.has(text)
    inRow = isPlain ? inRow + 1 : 0
    if (inRow > 2) return undefined
  }
  return undefined
}
