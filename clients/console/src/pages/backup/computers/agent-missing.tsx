import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { computerQuery, useComputer, useMayChange } from '../data.ts'
import { texts as all } from '../texts.ts'

const texts = all.restore

/**
 * Says that no agent of the computer is there, and leads to where one is started; nothing while one is.
 *
 * @param isOnlyOfNew whether an agent that was there before is not missed
 */
export function AgentMissing({ isOnlyOfNew = false }: { readonly isOnlyOfNew?: boolean }) {
  const at = useComputer()
  const { account, computer } = at
  const isAllowed = useMayChange()
  const { data } = useQuery(computerQuery(at))
  if (data === undefined || data.online) return null
  const isNew = data.lastSeen === null
  if (isOnlyOfNew && !isNew) return null
  return (
    <Alert
      color={isNew ? 'blue' : 'red'}
      title={isNew ? texts.notYet : texts.offline}
      role={isNew ? 'status' : 'alert'}
      mb="md"
    >
      {isNew && texts.notYetHelp}
      {!isNew && isAllowed && texts.offlineHelp}
      {isAllowed && (
        <Link className="link" to="/backup/computers/$account/$computer/agent" params={{ account, computer }}>
          {isNew ? texts.startAgent : texts.anotherMachine}
        </Link>
      )}
    </Alert>
  )
}
