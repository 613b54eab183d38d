import { Button, TextInput } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AdministeredItem } from '../../../administered-item.ts'
import { SameCall } from '../../../components/command.tsx'
import { FormDialog, fieldText } from '../../../components/form-dialog.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Managed } from '../../../components/managed.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Remove } from '../../../components/remove.tsx'
import { pageQuery } from '../../../read-all.ts'
import { mayChange, mayReadService } from '../../../rights.ts'
import { useSession } from '../../../use-session.ts'
import { texts as all } from '../texts.ts'
import { ApiClients } from './api-clients.tsx'
import { Deleted } from './deleted.tsx'
import '../backup.css'

const texts = all.accounts

/** The accounts of the backup service, and the programs that call its API. */
export function AccountsPage() {
  const session = useSession()
  const { administration } = session
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const isAllowed = mayChange(session, 'backup')
  const seesClients = mayReadService(session, 'backup')
  const list = (after: string | undefined, deleted: boolean) =>
    answer(
      administration.GET('/backup/accounts', {
        params: { query: { ...pageQuery(after), ...(deleted ? { deleted: 'true' as const } : {}) } },
      }),
    )
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {isAllowed && (
          <Button aria-haspopup="dialog" onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )}
      </PageHead>
      <Listing
        title={texts.title}
        name={['backup', 'account list']}
        read={(after) => list(after, false)}
        idOf={({ id }) => id}
        columns={[
          [
            texts.account,
            ({ id }) => (
              <Link className="link" to="/backup/computers" search={{ account: id }}>
                {id}
              </Link>
            ),
          ],
          [
            texts.actions,
            ({ id, managedBy }) =>
              isAllowed && managedBy === null ? (
                <Remove
                  item={new AdministeredItem(session, 'backup', 'accounts', id)}
                  action={all.deletion.action}
                  title={texts.deleteTitle(id)}
                  refresh={[['backup']]}
                />
              ) : (
                <Managed by={managedBy} />
              ),
          ],
        ]}
      />
      <Deleted
        name={['backup', 'deleted accounts']}
        read={() => list(undefined, true)}
        titleOf={({ id }) => id}
        idOf={({ id }) => id}
        takeBack={({ id }) =>
          answer(
            administration.POST('/backup/accounts/{account}/undelete', { params: { path: { account: id } } }),
          )
        }
        isAllowed={isAllowed}
        onTakenBack={() => void queries.invalidateQueries({ queryKey: ['backup'] })}
      />
      {seesClients && <ApiClients />}
      <SameCall palisade="palisade backup accounts list" path="/admin/v1/backup/accounts" />
      {isAdding && <AddAccount onClose={() => setAdding(false)} />}
    </>
  )
}

function AddAccount({ onClose }: { readonly onClose: () => void }) {
  const { administration } = useSession()
  return (
    <FormDialog
      title={texts.add}
      action={texts.add}
      submit={(form) =>
        answer(administration.POST('/backup/accounts', { body: { id: fieldText(form, 'id') } }))
      }
      refresh={[['backup']]}
      onClose={onClose}
    >
      <TextInput name="id" label={texts.newId} description={texts.newIdHint} required autoFocus />
    </FormDialog>
  )
}
