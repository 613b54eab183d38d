import { State } from '../../components/state.tsx'
import { texts as all } from './texts.ts'

const states = { VERIFIED: 'good', UNVERIFIED: 'warning', DISABLED: 'idle' } as const

/** The state of a domain in a colour and in words. */
export function DomainState({ status }: { readonly status: string }) {
  const known = status === 'VERIFIED' || status === 'UNVERIFIED' || status === 'DISABLED'
  return (
    <State state={known ? states[status] : 'idle'}>{known ? all.domains.statuses[status] : status}</State>
  )
}
