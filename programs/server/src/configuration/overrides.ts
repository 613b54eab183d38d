import { ConfigurationSchema } from './schema.ts'

const types = ['string', 'integer', 'number', 'boolean'] as const

/** A single member that an environment variable or a flag may set. */
export interface OverridableMember {
  /** ["firewall", "listen", "http"] */
  readonly path: readonly string[]
  /** PALISADE_FIREWALL_LISTEN_HTTP */
  readonly variable: string
  /** firewall-listen-http */
  readonly flag: string
  readonly type: (typeof types)[number]
  /** What it is for, in sentences. */
  readonly description: string
  /** What holds when it is left out; undefined where the description says that. */
  readonly fallback: string | number | boolean | undefined
}

interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly anyOf?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

/** Every member that holds one text, number, or true or false; lists are for the file. */
export const overridableMembers: readonly OverridableMember[] = membersOf(ConfigurationSchema, [])

function membersOf(node: SchemaNode, path: readonly string[]): OverridableMember[] {
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([name, child]) => membersOf(child, [...path, name]))
  }
  const type = types.find((one) => one === node.type)
  if (type === undefined && !node.anyOf) return []
  const words = path.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const flag = words.join('-')
  const variable = `PALISADE_${flag.replaceAll('-', '_').toUpperCase()}`
  const { description = '', default: fallback } = node
  const isShown = ['string', 'number', 'boolean'].includes(typeof fallback)
  return [
    {
      path,
      variable,
      flag,
      type: type ?? 'string',
      description,
      fallback: isShown ? (fallback as string | number | boolean) : undefined,
    },
  ]
}

/** The options of a command line that set single members, as `readOptions` takes them. */
export const memberOptions: Readonly<Record<string, { readonly type: 'string' }>> = Object.fromEntries(
  overridableMembers.map(({ flag }) => [flag, { type: 'string' }]),
)

/** The values of those among the options that were given. */
export function memberFlags(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' && Object.hasOwn(memberOptions, name) ? [[name, value]] : [],
    ),
  )
}

/** Writes one member into a configuration document, making the objects on the way to it. */
export function setMember(document: Record<string, unknown>, member: OverridableMember, text: string): void {
  let object = document
  for (const name of member.path.slice(0, -1)) {
    const inner = object[name] ?? {}
    if (typeof inner !== 'object' || Array.isArray(inner)) return
    object[name] = inner
    object = inner as Record<string, unknown>
  }
  object[member.path.at(-1) ?? ''] = typedValue(text, member.type)
}

/** Text that is of another type stays as it is, for the schema to refuse it. */
function typedValue(text: string, type: OverridableMember['type']): string | number | boolean {
  const isNumber = type === 'integer' || type === 'number'
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}
