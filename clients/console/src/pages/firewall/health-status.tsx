import type { Health } from './reads.ts'
import { texts as all } from './texts.ts'

const texts = all.health

/** How something fares: a dot and a word. */
export function HealthStatus({ health }: { readonly health: Health | undefined }) {
  const status = health?.status ?? 'Unknown'
  return (
    <span className="health" data-status={status}>
      {status in texts ? texts[status as keyof typeof texts] : status}
    </span>
  )
}
