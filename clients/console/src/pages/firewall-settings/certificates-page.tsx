import './settings.css'
import { Button, Group, Loader, Table } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { type Certificate, readCertificates } from './certificates.ts'
import { DeletionNotice } from './deletion-notice.tsx'
import { useManagement } from './management.ts'
import { ObtainCertificate } from './obtain-certificate.tsx'
import { texts as all } from './texts.ts'
import { UploadCertificate } from './upload-certificate.tsx'

const texts = all.certificates

/** The certificates of all kinds, the one that ends first before the others, and which services show them. */
export function CertificatesPage() {
  const management = useManagement()
  const [adding, setAdding] = useState<'upload' | 'obtain'>()
  const isAllowed = mayChange(useSession(), 'firewall')
  const certificates = useQuery({
    queryKey: ['firewall', 'certificates', 'all'],
    queryFn: () => readCertificates(management),
  })
  if (certificates.isError) {
    return <Failure error={certificates.error} tryAgain={() => void certificates.refetch()} />
  }
  if (!certificates.data) return <Loader aria-label={shared.loading} />
  const close = () => setAdding(undefined)
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <DeletionNotice />
      {isAllowed && (
        <Group mb="md">
          <Button color="blue.8" aria-haspopup="dialog" onClick={() => setAdding('upload')}>
            {texts.upload}
          </Button>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setAdding('obtain')}>
            {texts.obtain}
          </Button>
        </Group>
      )}
      {adding === 'upload' && <UploadCertificate onClose={close} />}
      {adding === 'obtain' && <ObtainCertificate onClose={close} />}
      {certificates.data.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ScrollTable
          label={texts.title}
          headings={[texts.name, texts.ends, texts.usedBy, texts.host, texts.type, '']}
          minWidth={640}
          highlightOnHover
        >
          {certificates.data.map((certificate) => (
            <CertificateRow key={certificate.address} certificate={certificate} />
          ))}
        </ScrollTable>
      )}
      <SameCall palisade="palisade firewall certificates list" path="/firewall/restapi/v3.2/certificates" />
    </>
  )
}

function CertificateRow({ certificate }: { readonly certificate: Certificate }) {
  const { name, host, type, expiry, daysLeft, services, path } = certificate
  const [isAsked, setAsked] = useState(false)
  const isAllowed = mayChange(useSession(), 'firewall')
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Link to="/firewall/settings/$" params={{ _splat: path }} className="link">
          {name}
        </Link>
      </Table.Th>
      <Table.Td>
        <meter
          min={0}
          max={90}
          low={21}
          high={30}
          optimum={90}
          value={Math.min(Math.max(daysLeft, 0), 90)}
          aria-label={`${name}: ${texts.ends}`}
        />
        <div>{daysLeft < 0 ? texts.ended : `${daysLeft} ${texts.days}`}</div>
        <div className="setting-help">{expiry}</div>
      </Table.Td>
      <Table.Td>
        {services.length === 0 && <span className="setting-help">{texts.nobody}</span>}
        {services.map((service) => (
          <div key={service}>
            <Link to="/firewall/services/$service/settings" params={{ service }} className="link">
              {service}
            </Link>
          </div>
        ))}
      </Table.Td>
      <Table.Td>{host}</Table.Td>
      <Table.Td>{type}</Table.Td>
      <Table.Td>
        {isAllowed && (
          <Button
            variant="default"
            size="xs"
            aria-haspopup="dialog"
            onClick={() => setAsked(true)}
            aria-label={`${texts.remove} ${name}`}
          >
            {texts.remove}
          </Button>
        )}
        {isAsked && <RemoveCertificate certificate={certificate} onClose={() => setAsked(false)} />}
      </Table.Td>
    </Table.Tr>
  )
}

function RemoveCertificate({
  certificate: { name, address },
  onClose,
}: {
  readonly certificate: Certificate
  readonly onClose: () => void
}) {
  const management = useManagement()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const removal = useMutation({
    mutationFn: () => management.change('DELETE', address),
    async onSuccess({ checkpoint }) {
      onClose()
      await navigate({
        to: '/firewall/certificates',
        state: { deletion: { what: `${texts.one} ${name}`, checkpoint } },
      })
      await queries.invalidateQueries({ queryKey: ['firewall'] })
    },
  })
  return (
    <Confirm
      title={`${texts.removeTitle} ${name}?`}
      action={`${texts.remove} ${name}`}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeWhy}</p>
    </Confirm>
  )
}
