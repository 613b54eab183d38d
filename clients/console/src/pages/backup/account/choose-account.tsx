import { Loader, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { mayChange } from '../../../rights.ts'
import { texts as shared } from '../../../texts.ts'
import { useSession } from '../../../use-session.ts'
import { accountsQuery } from '../data.ts'
import { texts as all } from '../texts.ts'
import '../backup.css'

const texts = all.chooseAccount

/** Shows something of one account: the one of the address, or the first one. Others can be chosen where the operator may see several. */
export function ChooseAccount({ children }: { readonly children: (account: string) => ReactNode }) {
  const session = useSession()
  const wanted = useSearch({ strict: false }).account
  const navigate = useNavigate()
  const accounts = useQuery(accountsQuery(session))
  if (accounts.isError) return <Failure error={accounts.error} tryAgain={() => void accounts.refetch()} />
  if (!accounts.data) return <Loader aria-label={shared.loading} />
  const account = accounts.data.find((id) => id === wanted) ?? accounts.data[0]
  if (account === undefined) {
    return (
      <p>
        {texts.none}{' '}
        {mayChange(session, 'backup') && (
          <Link to="/backup/accounts" className="link">
            {texts.make}
          </Link>
        )}
      </p>
    )
  }
  return (
    <>
      {accounts.data.length > 1 && (
        <NativeSelect
          label={texts.account}
          maw="20rem"
          mb="md"
          value={account}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: '.', search: (before: object) => ({ ...before, account: value }) })
          }
          data={accounts.data}
        />
      )}
      {children(account)}
    </>
  )
}
