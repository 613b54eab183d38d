import type { Pattern } from './patterns.ts'

/**
 * The language in which kinds of configuration objects are written. A kind is data: its addresses, checks,
 * defaults, replies, OpenAPI paths and tests are derived from it. See the README, "Adding a kind".
 */
export interface Kind {
  /** What references and the store call it: singular, with hyphens. Never changes once released. */
  readonly name: string
  /** What replies call it, to the letter. */
  readonly title: string
  /** One sentence for people who read the API's description. */
  readonly description: string
  /** The segments after the parent's address, such as "services" or "certificates/signed-certificate". */
  readonly path: string
  /** Further paths at which the same objects are found: what older clients call it. */
  readonly alsoAt?: readonly string[]
  /** The kind inside whose objects this kind's objects lie. */
  readonly parent?: string
  /** The field that names an object among its siblings. A kind without it has one object, called like its title. */
  readonly identifiedBy?: string
  readonly fields: Fields
  /** Groups of further fields that every object has, by the segment at which they are read and changed. */
  readonly sections?: Readonly<Record<string, Section>>
  /**
   * What may be done. Left out: everything with objects that have names; a single object is read and updated. To
   * create a single object means to update it, for clients that always create first.
   */
  readonly operations?: readonly Operation[]
  /** Whether replies show the objects inside the parent without being asked to, and their number beside its members. */
  readonly shownInParent?: true
  /** Objects of a fresh installation. They are always there: they can be changed, but not renamed or deleted. */
  readonly factory?: readonly FactoryObject[]
  /** Objects that lie inside every object of the parent's kind, as if the factory had put them there. */
  readonly inEveryParent?: readonly InEveryParent[]
  /** Parts that clients name in the query parameter groups and that hold nothing here. */
  readonly emptyGroups?: readonly string[]
  /** Kinds, by the titles under which a single object shows all of their objects: a list for each of their members. */
  readonly columns?: Readonly<Record<string, string>>
  /** The title under which versions before v3.2 show the object's own members once more. */
  readonly wrappedInOlderVersions?: string
  /** The members of a single object stand right in `data`, not under its title. */
  readonly shownFlat?: true
  /** Objects show how they fare to whoever asks with category=operational. */
  readonly operational?: true
  /** Fields that replies show once more under a title, by that title: clients look for them in both places. */
  readonly excerpts?: Readonly<Record<string, readonly string[]>>
}

/** A part of an object with an address of its own, read and changed but neither created nor deleted. */
export interface Section {
  /** The member of the object that holds the section, and its name in the query parameter groups. */
  readonly title: string
  readonly description: string
  readonly fields: Fields
  /** Reading and updating when left out; to create a section means to update it. */
  readonly operations?: readonly SectionOperation[]
}

/** Sections are neither listed nor deleted. */
export type SectionOperation = Extract<Operation, 'create' | 'read' | 'update'>

/** `list` and `create` are of the collection, the others of an object. */
export const operations = ['list', 'create', 'read', 'update', 'delete'] as const
/** What a client may do with the objects of a kind. */
export type Operation = (typeof operations)[number]

/** An object of a fresh installation. */
export interface FactoryObject {
  /** The names of the objects on the way to it, outermost first, and its own. */
  readonly path: readonly string[]
  readonly fields?: FactoryValues
  /** What is not as the sections' defaults say, by segment. */
  readonly sections?: Readonly<Record<string, FactoryValues>>
}

/** An object that every object of the parent's kind has inside. */
export interface InEveryParent {
  readonly name: string
  readonly fields?: FactoryValues
}

/** Values by the names of fields; the others have their defaults. */
export type FactoryValues = Readonly<Record<string, string | number | readonly string[]>>

/** By the names that members have in requests and replies. */
export type Fields = Readonly<Record<string, Field>>

/** What a kind says about one member of its objects. */
export type Field =
  | StringField
  | IntegerField
  | ChoiceField
  | OnOffField
  | YesNoField
  | AddressField
  | NetmaskField
  | ReferenceField
  | ListField

/** What any field may say beside its type. */
interface FieldRules {
  readonly description?: string
  /** What older versions call the field; it is taken under these names too, and shown under its own. */
  readonly formerly?: readonly string[]
  /** Has to be given, and not empty, when the object is created. */
  readonly required?: true
  /** Is decided when the object is created. */
  readonly createOnly?: true
  /** Is shown, never taken. */
  readonly readOnly?: true
  /** Is taken, never shown: not in replies, and not in the record of changes. Sealed in the store. */
  readonly writeOnly?: true
  /** Of a secret, the fields beside it that say where it is sent and how. They are not changed without giving it anew. */
  readonly sentTo?: readonly string[]
  /** Tells how a request is to be carried out; nothing of it is kept. */
  readonly transient?: true
  /** Describes or places the object for administrators: nothing about traffic follows from it. */
  readonly administrative?: true
  /** Is kept for the system's own use: neither taken nor shown. Sealed in the store. */
  readonly hidden?: true
}

/** Whether replies show the field. */
export function isShown({ writeOnly, transient, hidden }: Field): boolean {
  return !writeOnly && !transient && !hidden
}

/** Whether replies to versions before v3.2 show the field in another form. */
export function hasOlderForm(field: Field): boolean {
  if (field.type === 'string') return field.linesInOlderVersions ?? false
  return field.type === 'choice' && (field.otherNameInOlderVersions ?? false)
}

/** Whether what the field holds is nobody's business: sealed in the store, masked in records. */
export function isSecret({ writeOnly, hidden }: Field): boolean {
  return (writeOnly ?? false) || (hidden ?? false)
}

/** A text; numbers are taken as texts. */
export interface StringField extends FieldRules {
  readonly type: 'string'
  /** In characters. */
  readonly lengthMin?: number
  /** In characters; {@link stringLengthMaxDefault} when left out. */
  readonly lengthMax?: number
  readonly pattern?: Pattern
  /** Versions before v3.2 show the list of its lines, and every version takes such a list. */
  readonly linesInOlderVersions?: true
  readonly default?: string
}

/** The longest text that a field takes which states no limit of its own, in characters. */
export const stringLengthMaxDefault = 4096

/** An integer within the limits of JavaScript's exact ones; also taken as text. */
export interface IntegerField extends FieldRules {
  readonly type: 'integer'
  readonly min?: number
  readonly max?: number
  /** Shown in the API's description: "KB/s", "seconds". */
  readonly unit?: string
  /** Replies show it as a JSON number, where most show text. */
  readonly shownAs?: 'number'
  readonly default?: number
}

/** One of the named values, compared without case. */
export interface ChoiceField extends FieldRules {
  readonly type: 'choice'
  readonly values: readonly string[]
  /** What clients of other versions call some of the values, and which they mean. */
  readonly alsoCalled?: Readonly<Record<string, string>>
  /** Versions before v3.2 show what `alsoCalled` calls the value. */
  readonly otherNameInOlderVersions?: true
  readonly default?: string
}

/** On or Off, in any case. */
export interface OnOffField extends FieldRules {
  readonly type: 'on-off'
  readonly default?: 'On' | 'Off'
}

/** Yes or No, in any case. */
export interface YesNoField extends FieldRules {
  readonly type: 'yes-no'
  readonly default?: 'Yes' | 'No'
}

/** An IPv4 or IPv6 address. */
export interface AddressField extends FieldRules {
  readonly type: 'ip-address'
  /** The field beside this one that says IPv4 or IPv6. */
  readonly version?: string
  readonly default?: string
}

/** An IPv4 netmask such as 255.255.255.0, or the length of a network prefix. */
export interface NetmaskField extends FieldRules {
  readonly type: 'netmask'
  readonly default?: string
}

/** The name of another object, which cannot be deleted as long as it is named here. */
export interface ReferenceField extends FieldRules {
  readonly type: 'reference'
  /** The name of its kind, or the names of several, among whose objects the name is looked for in this order. */
  readonly to: string | readonly string[]
  /** Words that name no object and are taken all the same: NONE. */
  readonly orOneOf?: readonly string[]
  /**
   * For a kind that lies inside others: the fields beside this one that name the objects around it, outermost
   * first. Left out, they are the objects around the referring one.
   */
  readonly within?: readonly string[]
  readonly default?: string
}

/** Several values of one field; taken as an array or as one text with commas. */
export interface ListField extends FieldRules {
  readonly type: 'list'
  readonly of: ItemField
  /** Replies show the items in one text, with commas between them, where most show a list. */
  readonly shownAs?: 'text'
  readonly default?: readonly string[]
}

/** Lists hold no lists. */
export type ItemField = Exclude<Field, ListField>
