import { State } from '../../../components/state.tsx'
import { Time } from '../../../components/time.tsx'
import { texts as all } from '../texts.ts'

const texts = all.agentState

/** Whether the agent of a computer is connected, and since when it is not. */
export function AgentState({
  computer: { online, lastSeen },
}: {
  readonly computer: { readonly online: boolean; readonly lastSeen: string | null }
}) {
  if (online) return <State state="good">{texts.online}</State>
  if (lastSeen === null) return <State state="idle">{texts.notYet}</State>
  return (
    <span className="agent-offline">
      <State state="critical">{texts.offline}</State>, {texts.since} <Time at={lastSeen} />
    </span>
  )
}
