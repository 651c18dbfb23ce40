import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import {
  createWhiteLabel,
  listWhiteLabels,
  previewMail,
  readWhiteLabel,
  saveWhiteLabel,
  suspendWhiteLabel,
} from '#contract/white-label'
import { whitelabelInfo } from '#contract/white-label-info'
import { INFO, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { WHITE_LABEL as LABEL } from '@/test/white-label-fixture'
import { changesOf, colorIn, timezoneName, valuesOf } from './branding-values.ts'

function open(role = 'WL_OWNER', label = LABEL, search = '') {
  const server = signedInServer({ role })
  server.on(readWhiteLabel, ({ params }) => ({ ...label, id: params['id'] ?? '' }))
  // Its address fits that of a white-label too.
  server.on(whitelabelInfo, () => INFO)
  server.on(listWhiteLabels, () => ({ data: [LABEL, { ...LABEL, id: 'ng', name: 'Lagos Ads' }] }))
  return { server, user: userEvent.setup(), ...renderRoute(`/admin/customization${search}`) }
}
const field = (name: string) => screen.findByRole('textbox', { name })

describe('the customization screen', () => {
  it('saves what invoices say, and puts a fault at its field', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () =>
      refusal(2, 400, [{ path: 'invoicing.tax_number', code: 2, message: 'Field is required.', key: 'required' }]),
    )
    await user.type(await field('Legal name'), 'Nile Media S.A.E.')
    await user.type(await field('IBAN or account number'), 'EG38 0019')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tax mode' }), 'Added to prices')
    await user.type(await field('Tax rate, %'), '14.5')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(saveWhiteLabel)).toHaveLength(1))
    expect(server.calls(saveWhiteLabel)[0]?.body).toEqual({
      invoicing: { legal_name: 'Nile Media S.A.E.', bank_account: 'EG38 0019', tax_mode: 'exclusive', tax_rate: 1450 },
    })
    await waitFor(async () => expect(await field('Tax number')).toHaveAccessibleDescription('Field is required.'))
  })

  it('previews a mail with what is typed', async () => {
    const { server, user } = open()
    server.on(previewMail, ({ body }) => ({ subject: `From ${(body as { name: string }).name}`, html: '<p>Hello</p>' }))
    const name = await field('Name')
    await user.clear(name)
    await user.type(name, 'Typed')
    await user.selectOptions(screen.getByRole('combobox', { name: 'What to preview' }), 'Receipt of a payment')
    expect(await screen.findByText('Subject: From Typed')).toBeVisible()
    expect(screen.getByTitle('Receipt of a payment')).toHaveAttribute('sandbox', '')
    expect(server.calls(previewMail).at(-1)?.body).toMatchObject({ template: 'payment-receipt', name: 'Typed', language: 'en' })
  })

  // covers ADM-17
  it('saves the changed fields alone', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () => ({ ...LABEL, name: 'Nile Ads', position: '7', approval_id: null }))
    const name = await field('Name')
    await user.clear(name)
    await user.type(name, 'Nile Ads')
    await user.type(await field('Primary colour'), '#1f7a4d')
    await user.click(screen.getByRole('switch', { name: "Allow approving one's own submissions" }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(saveWhiteLabel)).toHaveLength(1))
    expect(server.calls(saveWhiteLabel)[0]?.body).toEqual({
      name: 'Nile Ads',
      whitelabel_settings: { primary_color: '#1f7a4d', own_approval: true },
    })
    expect(await screen.findByText('Changes saved successfully!')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  it('limits how long sessions of staff may be unused, to minutes that the server accepts', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () => ({ ...LABEL, position: '7', approval_id: null }))
    const minutes = await field('End sessions of staff after minutes without use')
    await user.type(minutes, '4')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter minutes from 5 to 1440, or nothing')).toBeVisible()
    await user.type(minutes, '5')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(saveWhiteLabel)).toHaveLength(1))
    expect(server.calls(saveWhiteLabel)[0]?.body).toEqual({ whitelabel_settings: { staff_idle_minutes: 45 } })
  })

  it('sets the longest life of API keys, and takes them in exchange only', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () => ({ ...LABEL, position: '7', approval_id: null }))
    const days = await field('Longest life of API keys, days')
    await user.type(days, '367')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter days from 1 to 366, or nothing')).toBeVisible()
    await user.clear(days)
    await user.type(days, '180')
    await user.click(screen.getByLabelText('API keys only in exchange for access tokens'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(saveWhiteLabel)).toHaveLength(1))
    expect(server.calls(saveWhiteLabel)[0]?.body).toEqual({
      whitelabel_settings: { api_key_days: 180, api_keys_exchange_only: true },
    })
  })

  it('lets staff in from networks, one on each line, and names a line that is none', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () => ({ ...LABEL, position: '7', approval_id: null }))
    const networks = await field('Networks that staff may work from')
    await user.type(networks, '192.0.2.0/24{Enter}{Enter}office{Enter}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('These are no networks: office')).toBeVisible()
    await user.clear(networks)
    await user.type(networks, '192.0.2.0/24{Enter}{Enter} 2001:db8::1 {Enter}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(saveWhiteLabel)).toHaveLength(1))
    expect(server.calls(saveWhiteLabel)[0]?.body).toEqual({
      whitelabel_settings: { staff_networks: ['192.0.2.0/24', '2001:db8::1'] },
    })
  })

  it('shows what each theme makes of a colour, and its contrast', async () => {
    const { user } = open()
    await user.type(await field('Primary colour'), 'ffee00')
    expect(
      await screen.findByText(/^Light: #[0-9a-f]{6}, moved so that it can be read\. White text has a contrast of/),
    ).toBeVisible()
    expect(screen.getByText(/^Dark: #[0-9a-f]{6}, moved/)).toBeVisible()
    const preview = screen.getByRole('region', { name: 'Preview' })
    const panes = [...preview.querySelectorAll<HTMLElement>('[data-theme]')]
    expect(panes.map((pane) => pane.style.getPropertyValue('--brand'))).toEqual(['#ffee00', '#ffee00'])
    expect(document.documentElement.style.getPropertyValue('--brand')).not.toBe('#ffee00')
  })

  it('shows every fault at its field, with the focus on the first', async () => {
    const { server, user } = open()
    server.on(saveWhiteLabel, () =>
      refusal(2, 400, [
        { path: 'whitelabel_settings.primary_color', code: 2, message: '', key: 'hexColor' },
        { path: 'whitelabel_settings.help_url', code: 2, message: '', key: 'publicUrl' },
      ]),
    )
    const color = await field('Primary colour')
    await user.type(color, 'red')
    await user.type(await field('Help'), 'nowhere')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('A colour is # and six digits, such as #1f7a4d')).toBeVisible()
    expect(screen.getByText(/^Enter a public web address/)).toBeVisible()
    await waitFor(() => expect(color).toHaveFocus())
    expect(color).toBeInvalid()
  })

  it('shows that the white-label could not be loaded, and loads it again', async () => {
    const { server, user } = open()
    server.on(readWhiteLabel, () => refusal(1, 500))
    expect(await screen.findByText('The branding could not be loaded')).toBeVisible()
    server.on(readWhiteLabel, () => LABEL)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await field('Name')).toHaveValue('Placard')
  })

  it('the customization screen has no barrier', async () => {
    open()
    await field('Name')
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'best-practice'],
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  // covers ROLE-04 ROUTE-25
  it.each([
    ['USER_OWNER', '/campaigns'],
    ['WL_MODERATOR', '/moderation'],
    ['ACCOUNTANT', '/payments/history'],
    ['AUDITOR', '/audit'],
  ])('leads %s away, to %s', async (role, home) => {
    const { history, server } = open(role)
    await waitFor(() => expect(history.location.pathname).toBe(home))
    expect(server.calls(readWhiteLabel)).toHaveLength(0)
  })
})

describe('a system administrator', () => {
  it('chooses a white-label, and suspends another than the default after a question', async () => {
    const { server, user, address } = open('SYSTEM_ADMIN')
    await field('Name')
    expect(screen.queryByRole('button', { name: 'Suspend' })).toBeNull()
    await screen.findByRole('option', { name: 'Lagos Ads (ng)' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'White-label' }), 'ng')
    await waitFor(() => expect(address()).toContain('id=ng'))
    server.on(suspendWhiteLabel, () => ({ ...LABEL, id: 'ng', suspended: true, position: '8' }))
    await user.click(await screen.findByRole('button', { name: 'Suspend' }))
    const question = await screen.findByRole('alertdialog')
    expect(question).toHaveTextContent('Everyone of this white-label is signed out')
    await user.click(within(question).getByRole('button', { name: 'Suspend' }))
    await waitFor(() => expect(server.calls(suspendWhiteLabel)[0]?.params).toEqual({ id: 'ng' }))
  })

  it('creates a white-label, and sees what is wrong with its id', async () => {
    const { server, user, address } = open('SYSTEM_ADMIN')
    await user.click(await screen.findByRole('button', { name: 'New white-label' }))
    const dialog = await screen.findByRole('dialog', { name: 'New white-label' })
    server.on(createWhiteLabel, () => refusal(2, 400, [{ path: 'id', code: 2, message: '', key: 'whiteLabelTaken' }]))
    await user.type(within(dialog).getByRole('textbox', { name: 'Id' }), 'NG')
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Lagos')
    const owner = within(dialog).getByRole('textbox', { name: 'Email of the first owner' })
    await user.type(owner, 'sade')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    expect(await within(dialog).findByText('Enter an email address, such as ada@example.com')).toBeVisible()
    expect(server.calls(createWhiteLabel)).toEqual([])
    await user.type(owner, '@acme.example')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    expect(await within(dialog).findByText('There is a white-label with this id already')).toBeVisible()
    server.on(createWhiteLabel, () => ({ ...LABEL, id: 'acme', name: 'Lagos', position: '9' }))
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(address()).toContain('id=acme'))
    expect(server.calls(createWhiteLabel).at(-1)?.body).toEqual({ id: 'ng', name: 'Lagos', owner_email: 'sade@acme.example' })
  })
})

describe('the values of the form', () => {
  it('the values of the form change nothing when nothing changed', () => {
    expect(changesOf(valuesOf(LABEL), valuesOf(LABEL))).toEqual({})
  })

  it('the values of the form clear a field by an empty text', () => {
    const before = valuesOf({
      ...LABEL,
      file_id: 'file-1',
      whitelabel_settings: { ...LABEL.whitelabel_settings, help_url: 'https://a.example' },
    })
    expect(changesOf({ ...before, help: ' ', logo: '' }, before)).toEqual({
      file_id: null,
      whitelabel_settings: { help_url: null },
    })
  })

  it.each([
    ['#1F7A4D', '#1f7a4d'],
    [' 1f7a4d ', '#1f7a4d'],
    ['red', null],
    ['#12345', null],
    ['', null],
  ])('%j is the colour %s', (text, color) => {
    expect(colorIn(text)).toBe(color)
  })

  it.each([
    [0, 'UTC+00:00'],
    [20_700, 'UTC+05:45'],
    [-12_600, 'UTC−03:30'],
  ])('an offset of %i seconds is %s', (seconds, name) => {
    expect(timezoneName(seconds)).toBe(name)
  })
})
