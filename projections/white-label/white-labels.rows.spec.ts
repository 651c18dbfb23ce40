import { describe, it } from 'vitest'
import { WHITE_LABEL_EVENTS, type WhiteLabelEvent } from '#domain/white-label/white-label'
import { commit, expectExamplesOf, given } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { whiteLabels } from './read-model.ts'

const CREATED: WhiteLabelEvent = {
  type: 'WhiteLabelCreated',
  data: { whitelabel_id: 'acme', name: 'Acme', timezone_offset_seconds: 3600 },
}
const branded = (name: string): WhiteLabelEvent => ({ type: 'WhiteLabelBrandingChanged', data: { name } })
const SUSPENDED: WhiteLabelEvent = { type: 'WhiteLabelSuspended', data: { reason: 'Unpaid' } }

describe('a white-label', () => {
  it.each<readonly [title: string, events: readonly WhiteLabelEvent[], state: object]>([
    ['has its name and its offset', [CREATED], { created: true, branding: { name: 'Acme', timezone_offset_seconds: 3600 } }],
    [
      'has the branding that was saved last',
      [CREATED, branded('Acme Ads')],
      { branding: { name: 'Acme Ads', timezone_offset_seconds: 3600 } },
    ],
    [
      'has the settings that were changed, and no others',
      [
        { type: 'WhiteLabelSettingsChanged', data: { own_approval: true, api_key_days: 30 } },
        { type: 'WhiteLabelSettingsChanged', data: { api_key_days: null } },
      ],
      { created: false, settings: { own_approval: true, api_key_days: null } },
    ],
    [
      'has the terms of its invoices',
      [{ type: 'WhiteLabelInvoicingChanged', data: { tax_rate: 1900 } }],
      { invoicing: { tax_rate: 1900 } },
    ],
    ['is suspended', [CREATED, SUSPENDED], { suspended: true }],
    [
      'is no longer suspended once it is restored',
      [CREATED, SUSPENDED, { type: 'WhiteLabelRestored', data: {} }],
      { suspended: false },
    ],
  ])('a white-label: %s', (_, events, state) =>
    given(...events.map((event) => commit('white-label-acme', event)))
      .project(whiteLabels)
      .shows({ white_labels: [{ whitelabel_id: 'acme', version: events.length, revision: events.length, state }] }),
  )

  it('counts one revision for the events of one commit', () =>
    given(commit('white-label-acme', [CREATED, branded('Acme Ads')]), commit('white-label-berlin', branded('Berlin')))
      .project(whiteLabels)
      .shows({
        white_labels: [
          { whitelabel_id: 'acme', version: 2, revision: 1 },
          { whitelabel_id: 'berlin', version: 1, revision: 1 },
        ],
      }))
})

itKeepsTheLaws(whiteLabels)

it('every event that changes the rows of white-labels has an example', () =>
  expectExamplesOf(whiteLabels, Object.keys(WHITE_LABEL_EVENTS)))
