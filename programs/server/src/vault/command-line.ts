import type { KeyPlace } from '@palisade/backup'
import { readOptions, UsageError } from '@palisade/start-up'
import { overridableMembers } from '../configuration/overrides.ts'

/** What to do with the vault. */
export type VaultTask =
  /** @property samplePercent of the chunks that are read; 0 for none */
  | { readonly name: 'check'; readonly samplePercent: number }
  | { readonly name: 'repair'; readonly readData: boolean }
  | { readonly name: 'keys' }
  | { readonly name: 'add-key'; readonly key: KeyPlace; readonly label: string }
  | { readonly name: 'remove-key'; readonly id: string }
  | { readonly name: 'change-key'; readonly key: KeyPlace }

/** What a command line asks for. */
export interface VaultRequest {
  readonly task: VaultTask
  readonly configurationFile: string | undefined
  /** Values of single members of the configuration, by flag. */
  readonly members: Readonly<Record<string, string>>
}

const ownFlags = {
  config: { type: 'string' },
  'read-data': { type: 'boolean' },
  sample: { type: 'string' },
  label: { type: 'string' },
  'new-key-file': { type: 'string' },
  'new-passphrase-file': { type: 'string' },
} as const

type Flag = keyof typeof ownFlags

/** Which flags of its own a task takes. */
const flagsOf = {
  check: ['read-data', 'sample'],
  repair: ['read-data'],
  keys: [],
  'add-key': ['new-key-file', 'new-passphrase-file', 'label'],
  'remove-key': [],
  'change-key': ['new-key-file', 'new-passphrase-file'],
} as const satisfies Record<VaultTask['name'], readonly Flag[]>

/**
 * Reads what follows `palisade vault`.
 *
 * @throws UsageError
 */
export function parseVaultCommand(argv: readonly string[]): VaultRequest {
  const { values, positionals } = parse(argv)
  const { config, ...rest } = values
  const [name = '', ...words] = positionals
  if (!isTaskName(name)) {
    throw new UsageError(name === '' ? 'what to do is missing' : `there is no "palisade vault ${name}"`)
  }
  const members: Record<string, string> = {}
  const options = new Map<string, string | boolean>()
  for (const [flag, value] of Object.entries(rest)) {
    if (value === undefined) continue
    if (Object.hasOwn(ownFlags, flag)) options.set(flag, value)
    else if (typeof value === 'string') members[flag] = value
  }
  const allowed: readonly string[] = flagsOf[name]
  const foreign = [...options.keys()].find((flag) => !allowed.includes(flag))
  if (foreign !== undefined) throw new UsageError(`palisade vault ${name} takes no --${foreign}`)
  if (words.length > (name === 'remove-key' ? 1 : 0)) throw new UsageError(`"${words.at(-1)}" is too much`)
  return {
    task: taskOf(name, options, words[0]),
    configurationFile: typeof config === 'string' ? config : undefined,
    members,
  }
}

function parse(argv: readonly string[]) {
  const options = Object.fromEntries(
    overridableMembers.map(({ flag }) => [flag, { type: 'string' as const }]),
  )
  return readOptions(argv, { ...options, ...ownFlags }, { positionals: true })
}

function isTaskName(name: string): name is VaultTask['name'] {
  return Object.hasOwn(flagsOf, name)
}

function taskOf(
  name: VaultTask['name'],
  options: ReadonlyMap<string, string | boolean>,
  word: string | undefined,
): VaultTask {
  const readData = options.get('read-data') === true
  switch (name) {
    case 'check':
      return { name, samplePercent: samplePercentOf(options.get('sample'), readData) }
    case 'repair':
      return { name, readData }
    case 'keys':
      return { name }
    case 'add-key':
      return { name, key: newKeyOf(options), label: String(options.get('label') ?? '') }
    case 'remove-key':
      if (word === undefined)
        throw new UsageError('the id of the key is missing; "palisade vault keys" lists them')
      return { name, id: word }
    case 'change-key':
      return { name, key: newKeyOf(options) }
  }
}

function samplePercentOf(text: string | boolean | undefined, readData: boolean): number {
  if (text === undefined) return readData ? 100 : 0
  if (readData) throw new UsageError('give either --read-data or --sample')
  const percent = /^\d{1,3}$/.test(String(text)) ? Number(text) : 0
  if (percent < 1 || percent > 100) throw new UsageError('--sample must be a percentage from 1 to 100')
  return percent
}

function newKeyOf(options: ReadonlyMap<string, string | boolean>): KeyPlace {
  const [keyFile, passphraseFile] = [options.get('new-key-file'), options.get('new-passphrase-file')]
  if (typeof keyFile === 'string' && passphraseFile === undefined) return { keyFile }
  if (typeof passphraseFile === 'string' && keyFile === undefined) return { passphraseFile }
  throw new UsageError('give the new key with one of --new-key-file and --new-passphrase-file')
}
