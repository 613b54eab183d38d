import type { Kind } from '../kinds/kind.ts'
import { objectName } from '../kinds/patterns.ts'

const name = { type: 'string', lengthMax: 64, pattern: objectName, required: true } as const

/** An invented catalogue that uses everything the kind language has, three collections deep. */
export const town: readonly Kind[] = [
  {
    name: 'street',
    title: 'Street',
    description: 'A street.',
    path: 'public/streets',
    identifiedBy: 'name',
    fields: { name, length: { type: 'integer', unit: 'metres' } },
  },
  {
    name: 'house',
    title: 'House',
    description: 'A house in a street.',
    path: 'houses',
    parent: 'street',
    identifiedBy: 'number',
    shownInParent: true,
    excerpts: { Paint: ['colour', 'alarm-code'] },
    fields: {
      number: { type: 'integer', min: 1, max: 999, required: true },
      colour: { type: 'choice', values: ['Red', 'Dark Blue'], default: 'Red' },
      built: { type: 'string', createOnly: true, formerly: ['year'] },
      condition: { type: 'string', readOnly: true },
      'alarm-code': { type: 'string', writeOnly: true },
      neighbour: { type: 'reference', to: 'house' },
      keepers: { type: 'list', of: { type: 'reference', to: 'person' } },
    },
    sections: {
      garden: {
        title: 'Front Garden',
        description: 'What grows before the house.',
        fields: {
          trees: { type: 'integer', min: 0, max: 9, default: 0 },
          gardener: { type: 'reference', to: 'person' },
        },
      },
    },
  },
  {
    name: 'room',
    title: 'Room',
    description: 'A room of a house.',
    path: 'rooms',
    parent: 'house',
    identifiedBy: 'label',
    shownInParent: true,
    fields: {
      label: { type: 'string', lengthMax: 64, required: true },
      tenant: { type: 'reference', to: 'person' },
    },
    sections: {
      'window-box': {
        title: 'Window Box',
        description: 'What grows before the window.',
        fields: {
          flowers: { type: 'list', of: { type: 'choice', values: ['Rose', 'Lily'] }, default: ['Rose'] },
        },
      },
    },
  },
  {
    name: 'person',
    title: 'Person',
    description: 'Somebody.',
    path: 'people',
    identifiedBy: 'name',
    operations: ['list', 'create', 'read', 'delete'],
    fields: {
      name,
      street: { type: 'reference', to: 'street' },
      home: { type: 'reference', to: 'house', within: ['street'] },
      address: { type: 'ip-address' },
    },
  },
  {
    name: 'town-hall',
    title: 'Town Hall',
    description: 'There is one.',
    path: 'town-hall',
    fields: { mayor: { type: 'reference', to: 'person' }, open: { type: 'yes-no', default: 'Yes' } },
    sections: {
      clock: {
        title: 'Tower Clock',
        description: 'Seen from afar.',
        fields: { status: { type: 'on-off', default: 'On' } },
      },
    },
  },
  {
    name: 'counter',
    title: 'Counter',
    description: 'Where one queues.',
    path: 'counters',
    parent: 'town-hall',
    identifiedBy: 'name',
    fields: { name },
    factory: [{ path: ['Town Hall', 'first'] }],
  },
]
