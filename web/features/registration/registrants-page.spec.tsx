import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { moderationQueue } from '#contract/moderation'
import { countries } from '#contract/reference'
import {
  addAccount,
  approveRegistration,
  getRegistration,
  rejectRegistration,
  resendConfirmation,
  type QueuedRegistrant,
} from '#contract/registration'
import { listWhiteLabels } from '#contract/white-label'
import { setClock } from '@/lib/clock'
import { isBeyond, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { pickCountry } from '@/test/pick-country'
import { waiting } from '@/test/queue-fixture'
import { renderRoute } from '@/test/render-route'
import { WHITE_LABEL } from '@/test/white-label-fixture'

const NADIA: QueuedRegistrant = {
  id: 'nadia',
  company_name: 'Delta Foods',
  first_name: 'Nadia',
  last_name: 'Osei',
  email: 'nadia@delta.example',
  phone: '+2348012345678',
  country: 'NG',
  currency: 'NGN',
  created_at: '2026-11-02T10:00:00.000Z',
  due_at: '2026-11-03T10:00:00.000Z',
}
const LATE: QueuedRegistrant = { ...NADIA, id: 'late', first_name: 'Tariq', company_name: '', due_at: '2026-11-02T11:00:00.000Z' }
/** Two have a name of their own. */
const WHITE_LABELS = [
  ['acme', 'Acme Ads'],
  ['am', 'Placard'],
  ['dsp', 'Placard'],
  ['ng', 'Lagos Ads'],
  ['tn', 'Placard'],
] as const

function open(
  waiting: readonly QueuedRegistrant[] = [NADIA, LATE],
  at = '/moderation?tab=registrants',
  role: 'USER_OWNER' | 'WL_MODERATOR' | 'WL_OWNER' | 'SYSTEM_ADMIN' = 'WL_MODERATOR',
) {
  const server = signedInServer({ role })
  let left = [...waiting]
  const settle = ({ body }: { readonly body: unknown }) => {
    left = left.filter(({ id }) => id !== (body as { id: string }).id)
    return { position: '1' }
  }
  server.on(listWhiteLabels, () => ({ data: WHITE_LABELS.map(([id, name]) => ({ ...WHITE_LABEL, id, name })) }))
  server.on(countries, () => [{ iso_code: 'NG', name: 'Nigeria', timezone_offset_seconds: 3600 }])
  server.on(moderationQueue, () => ({ ...pageOf([]), registrants: { total_size: left.length, data: left } }))
  server.on(approveRegistration, settle)
  server.on(rejectRegistration, settle)
  server.on(getRegistration, () => ({
    ...NADIA,
    space_id: 'space-2',
    whitelabel_id: 'dsp',
    status: left.length === waiting.length ? ('submitted' as const) : ('approved' as const),
    moderator_comment: null,
    history: [{ type: 'RegistrationSubmitted', at: NADIA.created_at, author: 'Nadia Osei' }],
  }))
  return { server, ...renderRoute(at) }
}

beforeEach(() => {
  setClock(() => Date.parse('2026-11-02T12:00:00.000Z'))
  return () => setClock(null)
})

describe('registrants in moderation', () => {
  it('registrants in moderation are listed with their age and due time, late ones marked', async () => {
    open()
    const rows = await screen.findAllByTestId(/^registrant-row/)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toHaveTextContent(/Nadia Osei.*Delta Foods.*nadia@delta\.example.*NG.*NGN/)
    expect(rows[1]?.querySelector('[data-urgency=late]')).not.toBeNull()
    expect(screen.getByRole('link', { name: /Registrants 2/ })).toHaveAttribute('aria-current', 'page')
  })

  // covers ADM-16 SHELL-04
  it('registrants in moderation wait beside the campaigns in the moderation of an owner, in a list of their own', async () => {
    const server = signedInServer({ role: 'WL_OWNER' })
    const { row, campaign } = waiting('one', { name: 'Luxor' })
    server.on(moderationQueue, () => ({ ...pageOf([row]), registrants: { total_size: 2, data: [NADIA, LATE] } }))
    server.on(getCampaign, () => campaign)
    server.on(countries, () => [])
    renderRoute('/admin/moderation')
    expect((await screen.findAllByText('Luxor'))[0]).toBeVisible()
    expect(screen.queryByTestId(/^registrant-row/)).toBeNull()
    await userEvent.click(screen.getByRole('link', { name: /Registrants 2/ }))
    expect(await screen.findAllByTestId(/^registrant-row/)).toHaveLength(2)
    expect(screen.getByRole('link', { name: /Campaigns 1/ })).toBeVisible()
  })

  it('registrants in moderation are approved, and leave the list', async () => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Approve Nadia Osei' }))
    expect(await screen.findByText(/^Approved\. Nadia Osei gets an email/)).toBeVisible()
    expect(server.calls(approveRegistration)[0]?.body).toEqual({ id: 'nadia' })
    expect(await screen.findAllByTestId(/^registrant-row/)).toHaveLength(1)
  })

  it('registrants in moderation ask before the reason of a rejection is lost', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Reject Nadia Osei' }))
    await userEvent.type(within(await screen.findByRole('dialog')).getByRole('textbox'), 'No website')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
    expect(within(await screen.findByRole('dialog')).getByRole('textbox')).toHaveValue('No website')
  })

  it('registrants in moderation are rejected with a reason', async () => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Reject Nadia Osei' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }))
    expect(within(dialog).getByText('Please enter a reason')).toBeVisible()
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'No website')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }))
    expect(await screen.findByText(/^Rejected\. Nadia Osei/)).toBeVisible()
    expect(server.calls(rejectRegistration)[0]?.body).toEqual({ id: 'nadia', comment: 'No website' })
  })

  it('registrants in moderation show the last page instead of a page beyond it', async () => {
    const server = signedInServer({ role: 'WL_MODERATOR' })
    server.on(moderationQueue, ({ body }) => {
      const data = isBeyond(body, 25, 26) ? [] : [NADIA]
      return { ...pageOf([]), registrants: { total_size: 26, data } }
    })
    const { address } = renderRoute('/moderation?tab=registrants&page=4')
    expect(await screen.findByText('Nadia Osei')).toBeVisible()
    expect(address()).toContain('page=1')
    expect(screen.queryByText('No registrants wait')).toBeNull()
  })

  it('registrants in moderation have an empty state', async () => {
    open([])
    expect(await screen.findByText('No registrants wait')).toBeVisible()
  })

  // covers CAM-ROUTE-11
  it('registrants in moderation can be opened, and decided there', async () => {
    const { server, address } = open([NADIA], '/admin/moderate/user/nadia')
    expect(await screen.findByRole('heading', { name: 'Nadia Osei' })).toBeVisible()
    expect(await screen.findByText('Nigeria')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('No registrants wait')).toBeVisible()
    expect(server.calls(approveRegistration)).toHaveLength(1)
    expect(address()).toBe('/moderation?tab=registrants')
  })

  // covers CAM-ROUTE-12
  it('registrants in moderation are not for advertisers', async () => {
    const { address } = open([NADIA], '/admin/moderate/user/nadia', 'USER_OWNER')
    await screen.findByRole('heading', { name: 'Campaigns' })
    expect(address()).toMatch(/^\/campaigns/)
  })

  it('registrants in moderation that do not exist are not found', async () => {
    const { server } = open([NADIA], '/admin/moderate/user/nobody')
    server.on(getRegistration, () => refusal(161, 404))
    expect(await screen.findByText('This registration does not exist.')).toBeVisible()
  })
})

describe('the form of a new account', () => {
  async function fill() {
    await screen.findByLabelText('Country')
    const typed = {
      'First name': 'Nadia',
      'Last name': 'Osei',
      Email: 'n@delta.example',
      Phone: '+2348012345678',
      Position: 'CEO',
      Niche: 'food',
    }
    for (const [label, value] of Object.entries(typed)) await userEvent.type(screen.getByLabelText(label), value)
    await pickCountry('Nigeria')
    await userEvent.selectOptions(screen.getByLabelText('Type'), 'agency')
    await userEvent.selectOptions(screen.getByLabelText('Source'), 'other')
    await userEvent.type(screen.getByLabelText('Other source'), 'A fair in Lagos')
  }

  // covers ADM-11 ADM-19..23 ADM-24 ADM-25 ADM-26..31 ADM-32..35 ERR-11
  it('sends the whole form, with the text of another source in its place', async () => {
    const { server } = open([], '/admin/accounts/add', 'WL_OWNER')
    server.on(addAccount, () => ({ id: 'n', space_id: 's', position: '1' }))
    await fill()
    expect(screen.getByLabelText('Other source')).toHaveAttribute('placeholder', 'please specify source')
    await userEvent.click(screen.getByRole('button', { name: 'Add account' }))
    expect(await screen.findByText('Account created successfully!')).toBeVisible()
    expect(server.calls(addAccount)[0]?.body).toEqual({
      agree_with_tos: true,
      company_name: '',
      country: 'NG',
      currency: 'USD',
      email: 'n@delta.example',
      first_name: 'Nadia',
      language_key: 1,
      last_name: 'Osei',
      niche: 'food',
      phone: '+2348012345678',
      position: 'CEO',
      rewarded_ads_cpm_rate: 1,
      source: 'A fair in Lagos',
      type: 'agency',
      user_type_key: 1,
      whitelabel_id: 'dsp',
    })
  })

  // covers ADM-36..38
  it('offers the types and sources of accounts, one of them named after the product', async () => {
    open([], '/admin/accounts/add', 'WL_OWNER')
    const optionsOf = async (label: string) =>
      within(await screen.findByLabelText(label))
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
    expect(await optionsOf('Type')).toEqual(['Select', 'Freelancer', 'Agency', 'Brand'])
    expect(await optionsOf('Source')).toEqual([
      'Select',
      'LinkedIn ad',
      'LinkedIn personal network',
      'Cold email',
      'Google Ads',
      'Placard ads',
      'Referred',
      'Other',
    ])
  })

  it('shows a taken address at its field', async () => {
    const { server } = open([], '/admin/accounts/add', 'WL_OWNER')
    server.on(addAccount, () => refusal(160, 409, [{ path: 'email', code: 160, message: 'Email already exists' }]))
    await fill()
    await userEvent.click(screen.getByRole('button', { name: 'Add account' }))
    expect(await screen.findByText('This email already has an account')).toBeVisible()
  })

  it('the form of a new account is for owners and system administrators', async () => {
    const { address } = open([], '/admin/accounts/add', 'WL_MODERATOR')
    await screen.findByRole('heading', { name: 'Moderation' })
    expect(address()).toMatch(/^\/moderation/)
  })

  // covers ADM-39
  it('lets system administrators choose the white-label, and AMD in Armenia', async () => {
    open([], '/admin/accounts/add', 'SYSTEM_ADMIN')
    const choice = await screen.findByLabelText('White-label')
    await within(choice).findByRole('option', { name: 'Acme Ads (acme)' })
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Acme Ads (acme)', 'Armenia (am)', 'Default (dsp)', 'Lagos Ads (ng)', 'Tunisia (tn)'])
    await userEvent.selectOptions(screen.getByLabelText('White-label'), 'am')
    await userEvent.selectOptions(screen.getByLabelText('Preferred currency'), 'AMD')
    expect(screen.getByLabelText('Preferred currency')).toHaveValue('AMD')
  })
})

it('the confirmation mail can be requested again by owners', async () => {
  const { server } = open([NADIA, LATE], '/admin/moderate/user/nadia', 'WL_OWNER')
  server.on(resendConfirmation, () => ({ position: '1' }))
  server.on(getRegistration, () => ({
    ...NADIA,
    space_id: 'space-2',
    whitelabel_id: 'dsp',
    status: 'approved' as const,
    moderator_comment: null,
    history: [],
  }))
  await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }))
  expect(await screen.findByText('The email is on its way.')).toBeVisible()
  expect(server.calls(resendConfirmation)[0]?.body).toEqual({ id: 'nadia' })
})
