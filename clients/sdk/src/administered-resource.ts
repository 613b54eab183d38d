/** A resource of /admin/v1, as its OpenAPI document describes it: enough to work with any of them by one program. */
export interface AdministeredResource {
  /** The parameter of the path that names an item, such as `operator` of `/operators/{operator}`. */
  readonly idParameter: string
  /** The member of an item that holds its value. */
  readonly id: string
  /** Query parameters of the listing, and what each chooses. */
  readonly filters: Readonly<Record<string, string>>
  /** What a listing can be ordered by; descending with a minus before it. */
  readonly orders: readonly string[]
  /** Operation ids; null where the resource has no such operation. */
  readonly operations: Readonly<
    Record<'list' | 'read', string> & Record<'create' | 'update' | 'delete', string | null>
  >
  /** Members of the body that adds an item. */
  readonly creation: Readonly<Record<string, Member>>
  /** Members of the body that changes an item. */
  readonly change: Readonly<Record<string, Member>>
  readonly actions: readonly ResourceAction[]
}

/** Something else that can be done with an item: `POST` to the action's name below its path. */
export interface ResourceAction {
  readonly name: string
  /** Operation id. */
  readonly operation: string
  readonly summary: string
  readonly members: Readonly<Record<string, Member>>
}

/** A member of a body. */
export interface Member {
  readonly type: 'string' | 'integer' | 'boolean' | 'strings' | 'object' | 'objects'
  readonly isNullable: boolean
  /** What it can be; anything of its type when empty. */
  readonly values: readonly string[]
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly description: string
}
