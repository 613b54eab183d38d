import { jsonReply, replySchema } from '../../openapi/bodies.ts'
import type { Schema } from '../../openapi/schemas.ts'
import type { DescribedOperation } from '../../openapi/specials.ts'
import { describedBody, describedMessage, describedParameter } from '../described.ts'
import { letsEncryptFields } from './lets-encrypt-fields.ts'

const text = { type: 'string' } as const
const tags = ['Certificates']

/** What the OpenAPI document says of the old addresses. */
export const described = {
  list: {
    operationId: 'listCertificates',
    summary: 'List the certificates of all kinds, as older clients expect them',
    tags,
    responses: {
      '200': jsonReply(
        'The certificates, each with name and type.',
        replySchema(
          'CertificateList',
          { object: text, data: { type: 'array', items: { type: 'object', additionalProperties: true } } },
          ['data'],
        ),
      ),
    },
  },
  add: {
    operationId: 'addCertificate',
    summary: 'Make a self-signed certificate, or upload one as older clients do',
    tags,
    parameters: [
      describedParameter(
        'upload',
        'signed, trusted or trusted_server; a self-signed one is made without it.',
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: anyMembers() },
        'multipart/form-data': { schema: anyMembers() },
      },
    },
    responses: {
      '201': jsonReply(
        'The certificate is there.',
        replySchema('CertificateAdded', { id: text, msg: text }, ['id', 'msg']),
      ),
    },
  },
  read: {
    operationId: 'readCertificate',
    summary: 'Read a certificate of any kind, or download it',
    tags,
    parameters: [
      describedParameter('download', 'csr, pem or pkcs: answers the file instead.'),
      describedParameter('password', 'Protects the private key in the file.'),
    ],
    responses: {
      '200': {
        description: 'What is known of the certificate, or the file.',
        content: {
          'application/json': {
            schema: replySchema(
              'CertificateByName',
              { object: text, data: { type: 'object', additionalProperties: true } },
              ['data'],
            ),
          },
          'application/x-pem-file': {
            schema: text,
            example: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
          },
          'application/x-pkcs12': { schema: { type: 'string', format: 'binary' } },
        },
      },
    },
  },
  remove: {
    operationId: 'removeCertificate',
    summary: 'Delete a certificate of any kind',
    tags,
    responses: describedMessage('The certificate is gone.'),
  },
  letsEncrypt: {
    operationId: 'obtainCertificate',
    summary: "Obtain a certificate by ACME, from Let's Encrypt or the authority that the configuration names",
    tags,
    requestBody: describedBody('certificate to be obtained', letsEncryptFields),
    responses: describedMessage('The certificate is there; it is read and deleted as a signed one.', '201'),
  },
} satisfies Readonly<Record<string, DescribedOperation>>

function anyMembers(): Schema {
  return { type: 'object', properties: { name: text }, required: ['name'], additionalProperties: true }
}
