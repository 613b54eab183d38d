import type { Members } from '../catalogue/examples/example-file.ts'
import type { Examples } from '../catalogue/examples/examples.ts'
import { readMembers } from '../changes/members.ts'
import type { CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import type { Values } from '../kinds/values.ts'
import { Collection, ConfigurationObject } from '../objects/configuration-object.ts'
import { completeContent } from '../objects/content.ts'
import { exampleToken } from './bodies.ts'

/** A body or a reply that the document shows; undefined where there is none. */
type Example = object | undefined

/**
 * What the document shows of the kinds by way of example. Bodies are those of the kind's own example; replies show the object that
 * they make, in the very words of the service. What the service finds out by itself, such as the dates of a certificate, is empty.
 */
export class KindReplies {
  readonly #examples: Examples

  constructor(examples: Examples) {
    this.#examples = examples
  }

  creation(kind: CompiledKind): Example {
    if (!this.#examples.has(kind)) return undefined
    const { create, update } = this.#examples.of(kind)
    return create ?? update
  }

  update(kind: CompiledKind): Example {
    return this.#examples.has(kind) ? this.#examples.of(kind).update : undefined
  }

  sectionBody(kind: CompiledKind, { segment }: CompiledSection): Example {
    return this.#examples.has(kind) ? this.#examples.of(kind).sections?.[segment] : undefined
  }

  /** The name of the example's object. */
  nameOf(kind: CompiledKind): string | undefined {
    return this.#examples.has(kind) ? this.#examples.nameOf(kind) : undefined
  }

  one(kind: CompiledKind): Example {
    const columns = kind.columns.map((one) => [one.title, this.#columns(one.kind)])
    const shown = ({ text }: ConfigurationObject) => ({ ...JSON.parse(text), ...Object.fromEntries(columns) })
    return this.#shown(kind, shown, { object: kind.title })
  }

  /** The example's object as the only one of the lists in which a single object shows the kind. */
  #columns(kind: CompiledKind): object {
    if (!this.#examples.has(kind)) return {}
    const shown: Members = JSON.parse(this.#object(kind).text)
    const members = Object.entries(shown).filter(([member]) => kind.fields.find(member))
    return Object.fromEntries(members.map(([member, value]) => [member, [value]]))
  }

  list(kind: CompiledKind): Example {
    const names = kind.lineage.slice(0, -1).map((around) => [around.title, this.nameOf(around)])
    const members = { object: kind.title, ...Object.fromEntries(names) }
    return this.#shown(kind, ({ text }) => JSON.parse(text), members)
  }

  section(kind: CompiledKind, section: CompiledSection): Example {
    const shown = (object: ConfigurationObject) => ({
      [section.title]: JSON.parse(object.sectionText(section)),
    })
    return this.#shown(kind, shown, {})
  }

  #shown(kind: CompiledKind, shown: (object: ConfigurationObject) => object, members: object): Example {
    if (!this.#examples.has(kind)) return undefined
    const object = this.#object(kind)
    const data = kind.shownFlat ? shown(object) : { [object.name]: shown(object) }
    return { ...members, data, token: exampleToken }
  }

  #object(kind: CompiledKind): ConfigurationObject {
    const { create = {}, sections = {} } = this.#examples.of(kind)
    const name = this.#examples.nameOf(kind)
    const path = kind.lineage.map((one) => this.#examples.nameOf(one))
    const ofFactory = kind.factory.find((object) => object.path.at(-1) === name)
    const nameField = kind.identifiedBy === undefined ? {} : { [kind.identifiedBy]: name }
    const example = { ...ofFactory?.fields, ...nameField, ...create }
    const content = {
      values: valuesOf(kind.fields, kind.title, example),
      sections: Object.fromEntries(
        kind.sections.map(({ segment, title, fields }) => [
          segment,
          valuesOf(fields, title, sections[segment] ?? {}),
        ]),
      ),
    }
    const inside = kind.children.filter(({ inEveryParent }) => inEveryParent.length > 0)
    const children = new Map(inside.map((child) => [child, alwaysInside(child, path)]))
    return new ConfigurationObject({ kind, path, content, children, version: 1 })
  }
}

/** The objects of a kind that lie inside every object of the kind around it. */
function alwaysInside(kind: CompiledKind, around: readonly string[]): Collection {
  const objects = kind.inEveryParent.map(({ name, fields = {} }) => {
    const nameField = kind.identifiedBy === undefined ? {} : { [kind.identifiedBy]: name }
    const values = valuesOf(kind.fields, kind.title, { ...nameField, ...fields })
    const content = { values, sections: completeContent(kind, {}).sections }
    const path = [...around, name]
    return new ConfigurationObject({ kind, path, content, children: new Map(), version: 0 })
  })
  return Collection.of(objects)
}

/** Of members that the fields take, and the defaults of the others, but for what this machine is. */
function valuesOf(fields: FieldSet, title: string, members: Members): Values {
  const initial = Array.from(fields).flatMap(({ name, field }) => {
    const value = fields.defaults[name]
    return field.readOnly || value === undefined ? [] : [[name, value] as const]
  })
  const pairs = [...readMembers(fields, title, members).values].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries([...initial, ...pairs])
}
