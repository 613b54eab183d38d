import type { Member } from '@palisade/sdk'
import { exitStatus, UsageError } from '../exit-status.ts'
import { readObject, readSecret } from '../input-file.ts'
import { askSecret, canAsk } from '../login/ask.ts'
import type { Suggestion } from '../suggestions.ts'

type Members = Readonly<Record<string, Member>>
type Body = Readonly<Record<string, unknown>>

/**
 * The body that a command line describes: what a file holds, and over it each NAME=VALUE, read as its member's type says. Secrets that
 * are missing are asked for where somebody is there to be asked.
 *
 * @param assignments such as `displayName=Ada`, `permissions=campaigns,results`, `password=@file`
 * @param file JSON or YAML; - for standard input
 * @throws UsageError when a member is unknown, missing, or not of its type
 */
export async function bodyOf(
  assignments: readonly string[],
  members: Members,
  { file, isCreation }: { readonly file?: string | undefined; readonly isCreation: boolean },
): Promise<Body> {
  const body: Record<string, unknown> = { ...(file === undefined ? {} : readObject(file)) }
  for (const assignment of assignments) {
    const [, name = '', text] = /^([^=]*)=(.*)$/s.exec(assignment) ?? [undefined, assignment]
    const member = memberOf(name, members)
    if (text === undefined) throw wrong(`Give ${name} a value: ${name}=…`)
    body[name] = readValue(name, text, member)
  }
  for (const [name, member] of Object.entries(members)) {
    if (!isCreation || !member.isRequired || name in body) continue
    if (!member.isSecret || !canAsk())
      throw wrong(`${name} is missing: ${name}=… ${member.description}`.trim())
    body[name] = await askSecret(`${name}: `, `${name}=@FILE`)
  }
  if (!isCreation && Object.keys(body).length === 0) throw wrong('Say what to change: NAME=VALUE.')
  return body
}

/** Lines of help on members: name, type, and what it is. */
export function describeMembers(members: Members): string {
  const rows = Object.entries(members).map(
    ([name, member]) => [`${name}=${formOf(name, member)}`, member] as const,
  )
  const width = Math.max(...rows.map(([form]) => form.length))
  return rows
    .map(([form, { description, isRequired }]) =>
      `  ${form.padEnd(width)}  ${isRequired ? 'required; ' : ''}${description}`.trimEnd().replace(/;$/, ''),
    )
    .join('\n')
}

/** What a shell may complete: members that have not been given yet, and what a member can be. */
export function suggestMembers(members: Members, words: readonly string[]): Suggestion[] {
  const names = new Set(words.slice(0, -1).map((word) => word.replace(/=.*/s, '')))
  const [name = '', value] = (words.at(-1) ?? '').split('=')
  if (value !== undefined) {
    return (members[name]?.values ?? []).map((one): Suggestion => [`${name}=${one}`, ''])
  }
  return Object.entries(members)
    .filter(([one]) => !names.has(one))
    .map(([one, { description }]): Suggestion => [`${one}=`, description])
}

function formOf(name: string, { type, values, isSecret, isNullable }: Member): string {
  if (isSecret) return '@FILE'
  if (name === 'grants') return 'ROLE[:SERVICE[:ACCOUNT]],…'
  const forms = {
    string: values.length > 0 ? values.join('|') : 'TEXT',
    integer: 'NUMBER',
    boolean: 'true|false',
    strings: values.length > 0 ? `${values.join(',')}` : 'TEXT,…',
    object: 'JSON',
    objects: 'JSON',
  }
  return `${forms[type]}${isNullable ? '|null' : ''}`
}

function memberOf(name: string, members: Members): Member {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  if (member !== undefined) return member
  throw wrong(`There is no ${name || 'member without a name'}. There is: ${Object.keys(members).join(', ')}.`)
}

function readValue(name: string, value: string, member: Member): unknown {
  const isFile = value.startsWith('@')
  if (member.isSecret && !isFile && value !== 'null') {
    throw wrong(
      `Others can see command lines: put ${name} into a file, and write ${name}=@FILE, or ${name}=@- for standard input.`,
    )
  }
  const text = isFile ? readSecret(value.slice(1)) : value
  if (member.isNullable && text === 'null') return null
  switch (member.type) {
    case 'integer':
      if (/^-?\d{1,15}$/.test(text)) return Number(text)
      throw wrong(`${name} must be a whole number, not ${text}.`)
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw wrong(`${name} must be true or false, not ${text}.`)
    case 'strings':
      return listIn(text).map((one) => oneOf(name, one, member.values))
    case 'object':
      return jsonIn(name, text)
    case 'objects':
      return name === 'grants' && !text.startsWith('[') ? listIn(text).map(grantIn) : jsonIn(name, text)
    default:
      return oneOf(name, text, member.values)
  }
}

function listIn(text: string): string[] {
  return text === '' ? [] : text.split(',')
}

function oneOf(name: string, text: string, values: readonly string[]): string {
  if (values.length === 0 || values.includes(text)) return text
  throw wrong(`${name} must be ${values.join(', ')}, not ${text}.`)
}

/** Such as `operator:backup:acme`. */
function grantIn(text: string): Readonly<Record<string, string>> {
  const [role = '', service, account] = text.split(':')
  return {
    role,
    ...(service === undefined ? {} : { service }),
    ...(account === undefined ? {} : { account }),
  }
}

function jsonIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`${name} must be JSON.`)
  }
}

function wrong(message: string): UsageError {
  return new UsageError(message, exitStatus.wrongCommandLine)
}
