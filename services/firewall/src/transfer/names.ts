import type { CompiledKind } from '../kinds/compiled-kind.ts'

/** How sentences about many objects call one: server "shop/one". */
export function objectTitle({ name }: CompiledKind, path: readonly string[]): string {
  return `${name} ${JSON.stringify(path.join('/'))}`
}
