import { Button } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { AdministeredItem } from '../../administered-item.ts'
import { Listing } from '../../components/listing.tsx'
import { Time } from '../../components/time.tsx'
import { useChange } from '../../use-change.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.sessions

/** Where an operator is logged in. @param mayEnd whether the sessions can be ended by whoever looks */
export function Sessions({ operator, mayEnd }: { readonly operator: string; readonly mayEnd: boolean }) {
  const session = useSession()
  const name = ['operators', operator, 'sessions']
  return (
    <>
      <h2 className="section-title">{texts.title}</h2>
      <Listing
        title={texts.title}
        name={name}
        read={(after) =>
          answer(
            session.administration.GET('/operators/{operator}/sessions', {
              params: { path: { operator }, query: { order: '-createdAt', ...(after ? { after } : {}) } },
            }),
          )
        }
        idOf={({ id }) => id}
        columns={[
          [texts.browser, ({ userAgent }) => browserOf(userAgent)],
          [texts.address, ({ address }) => address],
          [texts.used, ({ usedAt }) => <Time at={usedAt} />],
          [texts.created, ({ createdAt }) => <Time at={createdAt} />],
          ...(mayEnd
            ? [
                [
                  texts.actions,
                  ({ id, address }: { id: string; address: string }) => (
                    <EndSession operator={operator} id={id} address={address} />
                  ),
                ] as const,
              ]
            : []),
        ]}
      />
    </>
  )
}

function EndSession({
  operator,
  id,
  address,
}: {
  readonly operator: string
  readonly id: string
  readonly address: string
}) {
  const session = useSession()
  const item = new AdministeredItem(session, 'operators', operator, 'sessions', id)
  const end = useChange(() => item.remove(), { refresh: [['operators', operator, 'sessions']] })
  return (
    <Button
      variant="default"
      size="xs"
      loading={end.isPending}
      onClick={() => end.mutate()}
      aria-label={`${texts.end}: ${address}`}
    >
      {texts.end}
    </Button>
  )
}

/** The browser and the system that a user agent names; all of it when it names none that is known. */
function browserOf(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)[A-Za-z]*\/(\d+)/.exec(userAgent)
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(userAgent)
  if (browser === null) return userAgent
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser[1] ?? ''] ?? browser[1]
  return `${name} ${browser[2]}${system === null ? '' : `, ${system[0]}`}`
}
