import { texts } from '../texts.ts'

/** Says that a configuration file has something, and that it is changed there alone. */
export function Managed({ by }: { readonly by: string | null }) {
  if (by === null) return null
  return (
    <p className="quiet">
      {texts.managedBy} <code>{by}</code>
    </p>
  )
}
