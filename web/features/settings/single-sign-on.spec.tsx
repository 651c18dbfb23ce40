import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { listScimTokens } from '#contract/scim'
import { listCredentials } from '#contract/service-credential'
import {
  addDomain,
  addProvider,
  changeDomain,
  changeProvider,
  checkProvider,
  readSingleSignOn,
  removeProvider,
  verifyDomain,
} from '#contract/single-sign-on'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const PROVIDER = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.acme.example',
  client_id: 'placard',
  has_secret: true,
  scopes: ['email'],
  trusts_addresses: false,
  default_space_id: null,
  default_roles: [],
  role_claim: null,
  role_mapping: [],
  roles_follow_claim: true,
  enabled: true,
  domains: 0,
}
const DOMAIN = {
  domain: 'acme.example',
  provider_id: 'acme',
  record: 'placard-verification=abc',
  verified_at: null as string | null,
  password_allowed: true,
  waits: false,
}

function open(over: { readonly providers?: (typeof PROVIDER)[]; readonly domains?: (typeof DOMAIN)[] } = {}) {
  const server = signedInServer({ role: 'WL_OWNER' })
  server.on(listCredentials, () => [])
  server.on(listScimTokens, () => ({ base_url: 'https://ads.example/scim/v2', tokens: [] }))
  server.on(readSingleSignOn, () => ({
    callback_url: 'https://ads.example/v1/oauth/sign-on/callback',
    sign_out_url: 'https://ads.example/auth/login',
    back_channel_url: 'https://ads.example/v1/oauth/sign-on/back-channel',
    house_space_id: 'house',
    providers: [PROVIDER],
    domains: [DOMAIN],
    ...over,
  }))
  renderRoute('/settings')
  return server
}

describe('single sign-on in the settings', () => {
  it('shows the addresses for the provider, and adds one with what was typed', async () => {
    const server = open({ providers: [], domains: [] })
    const sent: unknown[] = []
    server.on(addProvider, ({ body }) => {
      sent.push(body)
      return { id: 'new', approval_id: null, position: '1' }
    })
    expect(await screen.findByText('https://ads.example/v1/oauth/sign-on/callback')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add provider' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Name'), 'Acme')
    await userEvent.type(dialog.getByLabelText('Issuer'), 'https://id.acme.example')
    await userEvent.type(dialog.getByLabelText('Client ID'), 'placard')
    await userEvent.type(dialog.getByLabelText('Client secret'), 'hush')
    await userEvent.selectOptions(dialog.getByLabelText('People without a record'), 'Add to the staff')
    await userEvent.selectOptions(dialog.getByLabelText('Their role'), 'Auditor')
    await userEvent.type(dialog.getByLabelText('Claim with roles'), 'groups')
    await userEvent.type(dialog.getByLabelText('Roles by value of the claim'), 'buyers')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Each line is a value and its roles, such as buyers = USER_OWNER')).toBeVisible()
    expect(sent).toEqual([])
    await userEvent.type(dialog.getByLabelText('Roles by value of the claim'), ' = wl_moderator')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual({
      name: 'Acme',
      issuer: 'https://id.acme.example',
      client_id: 'placard',
      client_secret: 'hush',
      scopes: ['email', 'profile'],
      trusts_addresses: false,
      default_space_id: 'house',
      default_roles: ['AUDITOR'],
      role_claim: 'groups',
      role_mapping: [{ value: 'buyers', roles: ['WL_MODERATOR'] }],
      roles_follow_claim: true,
      enabled: true,
    })
  })

  it('changes a provider, and shows a fault beside its field', async () => {
    const server = open()
    server.on(changeProvider, () =>
      refusal(2, 400, [{ path: 'issuer', code: 2, message: 'The issuer of a provider stays', key: 'signOn.issuerStays' }]),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Change Acme' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Issuer'), '/other')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('The issuer of a provider stays. Add another provider instead.')).toBeVisible()
  })

  it('says whether a provider answers, and removes one after a question', async () => {
    const server = open()
    server.on(checkProvider, () => ({ works: false, reason: 'away' as const }))
    server.on(removeProvider, () => ({ position: '1' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Check Acme' }))
    expect(await screen.findByText('The provider does not answer.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Acme' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(server.calls(removeProvider).map(({ params }) => params)).toEqual([{ id: 'dsp', provider: 'acme' }]),
    )
  })

  it('adds a domain, shows its record until it is verified', async () => {
    const server = open()
    server.on(addDomain, () => ({ domain: DOMAIN, approval_id: null, position: '1' }))
    server.on(verifyDomain, () => ({ verified: false, approval_id: null, position: '1' }))
    expect(await screen.findByText('placard-verification=abc')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Verify acme.example' }))
    expect(await screen.findByText(/The TXT record was not found/)).toBeVisible()
    server.on(verifyDomain, () => ({ verified: false, approval_id: 'approval', position: '1' }))
    await userEvent.click(screen.getByRole('button', { name: 'Verify acme.example' }))
    expect(await screen.findByText('It waits for a second person, on the page of staff.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add domain' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Mail domain'), 'other.example')
    await userEvent.click(dialog.getByRole('button', { name: 'Add domain' }))
    await waitFor(() =>
      expect(server.calls(addDomain).map(({ body }) => body)).toEqual([{ domain: 'other.example', provider_id: 'acme' }]),
    )
  })

  it('switches the passwords of a verified domain off after a question', async () => {
    const server = open({ domains: [{ ...DOMAIN, verified_at: '2026-11-01T00:00:00.000Z' }] })
    server.on(changeDomain, () => ({ approval_id: null, position: '1' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Switch passwords off' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Switch passwords off' }))
    await waitFor(() =>
      expect(server.calls(changeDomain).map(({ body }) => body)).toEqual([{ provider_id: 'acme', password_allowed: false }]),
    )
  })

  it('single sign-on in the settings is accessible, with its dialog too', async () => {
    open()
    const check = async (part: Element) =>
      (await axe.run(part, { rules: { 'color-contrast': { enabled: false } } })).violations.map(({ id }) => id)
    await screen.findByText('placard-verification=abc')
    expect(await check(screen.getByRole('main'))).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Add provider' }))
    await screen.findByLabelText('Issuer')
    expect(await check(screen.getByRole('dialog'))).toEqual([])
  })
})
