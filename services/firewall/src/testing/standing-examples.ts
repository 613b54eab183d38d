import assert from 'node:assert/strict'
import type { Examples } from '../catalogue/examples/examples.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { Client } from './client.ts'

/**
 * Creates the examples that a kind's own needs, and takes them away again. Those that the next kind needs as well stay
 * where they are: a service, with the certificates that it names, would otherwise be created anew for each kind inside it.
 */
export class StandingExamples {
  readonly #examples: Examples
  readonly #client: Client
  /** Those that are there, in the order in which they need each other. */
  readonly #standing: { readonly kind: CompiledKind; readonly isOurs: boolean }[] = []

  constructor(examples: Examples, client: Client) {
    this.#examples = examples
    this.#client = client
  }

  /** From now on what the kind's example needs is there, and no other example that can be deleted. */
  async standFor(kind: CompiledKind): Promise<void> {
    const needed = this.#examples.before(kind)
    const shared = this.#standing.findIndex(({ kind: one }, index) => one !== needed[index])
    await this.#keepOnly(shared === -1 ? needed.length : shared)
    for (const one of needed.slice(this.#standing.length)) {
      this.#standing.push({ kind: one, isOurs: await this.#create(one) })
    }
  }

  /** Does the work while the kind's own example is there as well. */
  async withExample(kind: CompiledKind, work: () => Promise<void>): Promise<void> {
    await this.standFor(kind)
    const isOurs = await this.#create(kind)
    try {
      await work()
    } finally {
      if (isOurs) await this.#delete(kind)
    }
  }

  /** Takes all of them away. */
  async clear(): Promise<void> {
    await this.#keepOnly(0)
  }

  async #keepOnly(count: number): Promise<void> {
    for (
      let last = this.#standing.at(-1);
      last && this.#standing.length > count;
      last = this.#standing.at(-1)
    ) {
      if (last.isOurs) await this.#delete(last.kind)
      this.#standing.pop()
    }
  }

  /** @returns whether it has to be deleted again: not what cannot be, nor what was there before */
  async #create(kind: CompiledKind): Promise<boolean> {
    const { create } = this.#examples.of(kind)
    const { collection, item } = this.#examples.addressOf(kind)
    if (!create || !kind.operations.has('create') || (await this.#client.get(item)).status === 200)
      return false
    const { status, json } = await this.#client.call('POST', collection, create)
    assert.equal(status, 201, `${kind.name}: ${json.msg}`)
    return kind.operations.has('delete')
  }

  async #delete(kind: CompiledKind): Promise<void> {
    const { status, json } = await this.#client.call('DELETE', this.#examples.addressOf(kind).item)
    assert.equal(status, 200, `${kind.name}: ${json.msg}`)
  }
}
