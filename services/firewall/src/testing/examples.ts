import { existsSync, readFileSync } from 'node:fs'
import type { CompiledKind } from '../kinds/compiled-kind.ts'

type Members = Readonly<Record<string, unknown>>

/** A body, and the members that are shown otherwise after it. */
interface Update {
  readonly update: Members
  readonly updated: Members
}

/** The golden example of one kind: a file in catalogue/examples that carries its name. */
export interface Example extends Update {
  /** The body that creates an object; left out for kinds whose objects cannot be created. */
  readonly create?: Members
  /** The whole object as it is shown then. */
  readonly created: Members
  /** An update for each section, by segment. */
  readonly sections?: Readonly<Record<string, Update>>
}

export function exampleOf({ name }: CompiledKind): Example {
  const file = new URL(`../catalogue/examples/${name}.json`, import.meta.url)
  if (!existsSync(file)) throw new Error(`The kind ${name} needs an example: write ${file.pathname}.`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The name of the example's object. */
export function exampleName(kind: CompiledKind): string {
  const { created } = exampleOf(kind)
  return kind.identifiedBy === undefined ? kind.title : String(created[kind.identifiedBy])
}

/** Where the example's object lies when each object around it is that kind's example. */
export function exampleAddress(kind: CompiledKind): { collection: string; item: string } {
  const parent = kind.lineage.at(-2)
  const collection = [...(parent ? [exampleAddress(parent).item] : []), ...kind.segments].join('/')
  const isSingle = kind.identifiedBy === undefined
  return {
    collection,
    item: isSingle ? collection : `${collection}/${encodeURIComponent(exampleName(kind))}`,
  }
}
