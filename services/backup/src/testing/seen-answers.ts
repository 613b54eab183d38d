/** What replies have shown in each of their members, held against what an OpenAPI document says that they have. */
export class SeenAnswers {
  readonly #operations: readonly DocumentedAnswer[]
  /** By operation and member, what was shown there; null where it was left out, empty or null. */
  readonly #seen = new Map<string, Set<unknown>>()

  constructor(document: unknown) {
    this.#operations = answersIn(document as OpenApiDocument)
  }

  /** Takes a reply in. @param path below the base URL, with or without a query */
  note(method: string, path: string, status: number, body: unknown): void {
    const [place = ''] = path.split('?')
    const operation = this.#operations.find(
      (one) => one.method === method && one.status === String(status) && one.form.test(place),
    )
    for (const member of operation?.members ?? []) {
      const name = `${operation?.operationId} ${member.join('.')}`
      const values = this.#seen.get(name) ?? new Set()
      this.#seen.set(name, values)
      for (const value of valuesAt(body, member)) values.add(value)
    }
  }

  /** The operations that answer something and have not been asked. */
  notAsked(): string[] {
    const methods = new Set([...this.#seen.keys()].map((name) => name.split(' ')[0]))
    const names = this.#operations
      .filter(({ members }) => members.length > 0)
      .map(({ operationId }) => operationId)
    return [...new Set(names)].filter((name) => !methods.has(name)).sort()
  }

  /** Members that never said anything, or always the same, as `operation member`. Nothing, 0, false and an empty list are no saying. */
  unmoved(): string[] {
    return [...this.#seen].flatMap(([name, values]) => (moves(values) ? [] : name)).sort()
  }
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

type NamedSchemas = Readonly<Record<string, Schema>>

interface OpenApiDocument {
  readonly components: { readonly schemas: NamedSchemas }
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId?: string
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
            >
          }
        >
      >
    >
  >
}

interface DocumentedAnswer {
  readonly operationId: string
  readonly method: string
  readonly form: RegExp
  readonly status: string
  /** Each as the names on the way to it, `[]` for those of a list. */
  readonly members: readonly (readonly string[])[]
}

function answersIn({ paths, components }: OpenApiDocument): DocumentedAnswer[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId = '', responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        if (!schema || !status.startsWith('2')) return []
        const members = new Map(
          membersOf(schema, [], components.schemas).map((member) => [member.join('.'), member]),
        )
        const form = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
        return { operationId, method: method.toUpperCase(), form, status, members: [...members.values()] }
      }),
    ),
  )
}

function membersOf(schema: Schema, at: readonly string[], schemas: NamedSchemas): (readonly string[])[] {
  const { $ref, type, properties, items, anyOf } = schema
  if ($ref !== undefined) {
    const target = schemas[$ref.replace('#/components/schemas/', '')]
    if (target === undefined) throw new Error(`The document has no ${$ref}`)
    return membersOf(target, at, schemas)
  }
  if (anyOf) return anyOf.flatMap((one) => membersOf(one, at, schemas))
  if (items) return membersOf(items, [...at, '[]'], schemas)
  if (properties) {
    return Object.entries(properties).flatMap(([name, one]) => membersOf(one, [...at, name], schemas))
  }
  return type === 'null' ? [] : [at]
}

function valuesAt(value: unknown, [next, ...rest]: readonly string[]): unknown[] {
  if (value === null || value === undefined || value === '') return [null]
  if (next === undefined) return [value]
  if (next === '[]') {
    const list: unknown[] = Array.isArray(value) ? value : []
    return list.length === 0 ? [null] : list.flatMap((one) => valuesAt(one, rest))
  }
  return typeof value === 'object' ? valuesAt((value as Record<string, unknown>)[next], rest) : [null]
}

/** Something was said, and something else or nothing was said too. */
function moves(values: ReadonlySet<unknown>): boolean {
  const said = [...values].filter((value) => value !== null && value !== 0 && value !== false)
  return said.length > 0 && values.size > 1
}
