import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '#contract/api-keys'
import { changePassword, endOtherSessions, listSessions, listSignIns, readSecondFactor, saveProfile } from '#contract/profile'
import { downloadOwnData } from '#contract/own-data'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from '#contract/passkeys'
import { now } from '@/lib/clock'
import { refusal, signedInServer } from '@/test/fake-server'
import { withPasskeys } from '@/test/passkeys'
import { renderRoute } from '@/test/render-route'
import { accessToken } from '@/session/token-store'

const SESSION = {
  id: 'here',
  current: true,
  started_at: '2026-11-01T10:00:00.000Z',
  used_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2026-12-20T10:00:00.000Z',
  browser: 'Firefox 140',
  system: 'Windows 10',
  network: '203.0.113.0/24',
}
const KEY = {
  id: 'key-1',
  name: 'Export',
  hint: 'a1b2',
  scopes: ['read' as const],
  created_at: '2026-11-01T10:00:00.000Z',
  expires_at: '2099-11-01T10:00:00.000Z',
  used_at: null,
  revoked_at: null,
  replaced_at: null,
}

const PASSKEY = {
  id: 'passkey-1',
  name: 'Laptop',
  host: 'localhost',
  backed_up: true,
  created_at: '2026-11-01T10:00:00.000Z',
  used_at: null,
}

function open(path: string, role = 'USER_OWNER') {
  const server = signedInServer({ role })
  server.on(listSessions, () => [SESSION, { ...SESSION, id: 'there', current: false, browser: null, system: null }])
  server.on(listSignIns, () => [{ at: SESSION.used_at, type: 'sign-in-failed', network: null, count: 3, details: {} }])
  server.on(readSecondFactor, () => ({ on: true, recovery_codes_left: 1 }))
  server.on(listApiKeys, () => [KEY])
  server.on(listPasskeys, () => [PASSKEY])
  return { server, ...renderRoute(path) }
}

describe('the profile', () => {
  // covers ROUTE-08 ROUTE-16
  it.each([
    ['USER_OWNER', '/profile', 'Settings'],
    ['WL_OWNER', '/profile-whitelabel', 'My profile'],
  ])('the profile of the role %s is at %s', async (role, at, title) => {
    const page = open(at, role)
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(page.address()).toBe(at)
  })

  it('belongs to /profile for advertisers, and to /profile-whitelabel for owners and moderators', async () => {
    const advertiser = open('/profile-whitelabel')
    await screen.findByRole('heading', { name: 'Settings' })
    expect(advertiser.address()).toBe('/profile')
  })

  // covers SHELL-39
  it.each([
    ['/profile', 'USER_OWNER', 'First name'],
    ['/profile-whitelabel', 'WL_OWNER', 'Phone'],
    ['/admin/accounts/add', 'WL_OWNER', 'Company name'],
  ])('asks before what was typed at %s is lost, and stays or leaves', async (path, role, field) => {
    const { address } = open(path, role)
    await userEvent.type(await screen.findByLabelText(field, { exact: false }), 'typed')
    await userEvent.click(screen.getByRole('link', { name: 'Reports' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
    expect(address()).toBe(path)
    await userEvent.click(screen.getByRole('link', { name: 'Reports' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(address()).toMatch(/^.reports/))
  })

  // covers ERR-12 ADM-40
  it('saves the details, and not before something changed', async () => {
    const { server } = open('/profile')
    const sent: unknown[] = []
    server.on(saveProfile, ({ body }) => {
      sent.push(body)
      return { position: '1' }
    })
    const save = await screen.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    const phone = screen.getByLabelText('Phone')
    await userEvent.type(phone, 'letters')
    await userEvent.click(save)
    expect(await screen.findByText('A phone number has 7 to 15 digits.')).toBeVisible()
    expect(sent).toEqual([])
    await userEvent.clear(phone)
    await userEvent.type(phone, '+234 803 123 4567')
    await userEvent.click(screen.getByRole('radio', { name: 'An individual' }))
    await userEvent.click(save)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ phone: '+234 803 123 4567', user_type_key: 2 })
    expect(await screen.findByText('Changes saved successfully!')).toBeVisible()
  })

  it('the profile has Log out', async () => {
    open('/profile')
    expect(await screen.findByRole('button', { name: 'Log out' })).toBeVisible()
  })
})

describe('the security of an account', () => {
  // covers AUTH-37 AUTH-45
  it('compares a new password with its confirmation before anything is sent', async () => {
    const { server } = open('/profile?tab=security')
    let calls = 0
    server.on(changePassword, () => {
      calls += 1
      return refusal(2, 400)
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
    await userEvent.type(screen.getByLabelText('Current password'), 'old')
    await userEvent.type(screen.getByLabelText('New password'), 'Quiet#River7')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'Quiet#River8')
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByText('Passwords do not match')).toBeVisible()
    expect(calls).toBe(0)
    const rules = within(screen.getByRole('list', { name: 'The password has' }))
    expect(rules.getAllByText('met')).toHaveLength(4)
  })

  it('refuses a new password with a name of the user, and shows the typed one on request', async () => {
    const { server } = open('/profile?tab=security')
    await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
    await userEvent.type(screen.getByLabelText('Current password'), 'old')
    await userEvent.type(screen.getByLabelText('New password'), 'Ada#River77')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'Ada#River77')
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('New password')).toHaveAttribute('type', 'text')
    expect(screen.getByLabelText('New password')).toHaveAttribute('autocomplete', 'new-password')
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByText(/^Password should not contain any of your personal information/)).toBeVisible()
    expect(server.calls(changePassword)).toHaveLength(0)
  })

  it('asks before a new password is lost', async () => {
    const { address } = open('/profile?tab=security')
    await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
    await userEvent.type(screen.getByLabelText('New password'), 'Quiet')
    await userEvent.click(screen.getByRole('link', { name: 'Reports' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
    expect(address()).toBe('/profile?tab=security')
  })

  // covers ERR-10
  it('says that the password was changed', async () => {
    const { server } = open('/profile?tab=security')
    server.on(changePassword, () => ({
      access_token: 'new',
      expires_in: 3600,
      space_id: 'space-1',
      position: '1',
    }))
    await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
    await userEvent.type(screen.getByLabelText('Current password'), 'old')
    await userEvent.type(screen.getByLabelText('New password'), 'Quiet#River7')
    await userEvent.type(screen.getByLabelText('Confirm new password'), 'Quiet#River7')
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
    expect(await screen.findByText('The password was changed successfully!')).toBeVisible()
    expect(accessToken()).toBe('new')
  })

  it('lists the sessions, and signs the others out', async () => {
    const { server } = open('/profile?tab=security')
    server.on(endOtherSessions, () => ({ ended: 1, position: '1' }))
    expect(await screen.findByText('Firefox 140 · Windows 10')).toBeVisible()
    expect(screen.getByText('Unknown program')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
    expect(await screen.findByText('1 session was signed out.')).toBeInTheDocument()
  })

  it('lists recent events with how often they happened', async () => {
    open('/profile?tab=security')
    expect((await screen.findByText('Failed sign-in')).closest('td')).toHaveTextContent('Failed sign-in × 3')
    expect(screen.getByText('On. 1 recovery code is left.')).toBeVisible()
  })
})

describe("a copy of the user's data", () => {
  it("a copy of the user's data is saved as a file", async () => {
    const { server } = open('/profile')
    const sent: unknown[] = []
    server.on(downloadOwnData, ({ body }) => {
      sent.push(body)
      return sent.length === 1 ? refusal(2, 429, [{ path: '', code: 2, message: '' }]) : new Blob(['zip'])
    })
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:copy')
    await userEvent.click(await screen.findByRole('button', { name: 'Download my data' }))
    const dialog = within(await screen.findByRole('dialog'))
    const submit = dialog.getByRole('button', { name: 'Get the copy' })
    await userEvent.click(submit)
    expect(await dialog.findByRole('alert')).toHaveTextContent('Three copies in a day')
    expect(saved).not.toHaveBeenCalled()
    await userEvent.click(submit)
    expect(await screen.findByText('Your data was downloaded.')).toBeVisible()
    expect(saved).toHaveBeenCalledOnce()
    expect(sent).toEqual([{}, {}])
    saved.mockRestore()
  })
})

describe('API keys', () => {
  it('API keys are created with a name, scopes and a lifetime', async () => {
    const { server } = open('/profile?tab=apiKeys')
    const sent: unknown[] = []
    server.on(createApiKey, ({ body }) => {
      sent.push(body)
      const times = { created_at: '2026-11-01T10:00:00.000Z', expires_at: '2099-11-01T10:00:00.000Z' }
      return { id: 'key-2', key: 'placard_key_new', ...times, position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }))
    const dialog = within(await screen.findByRole('dialog'))
    const create = dialog.getByRole('button', { name: 'Create key' })
    expect(create).toBeDisabled()
    await userEvent.type(dialog.getByLabelText('Name'), 'CI')
    await userEvent.click(create)
    await waitFor(() => expect(sent).toEqual([{ name: 'CI', scopes: ['read'], days: 90 }]))
  })

  it('API keys say that it did not work after too many requests', async () => {
    const { server } = open('/profile?tab=apiKeys')
    server.on(createApiKey, () => refusal(2, 429, [{ path: '', code: 2, message: '' }]))
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Name'), 'CI')
    await userEvent.click(dialog.getByRole('button', { name: 'Create key' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
  })

  it('API keys end at a date that is chosen, within what the white-label allows', async () => {
    const { server } = open('/profile?tab=apiKeys')
    const sent: unknown[] = []
    server.on(createApiKey, ({ body }) => {
      sent.push(body)
      const times = { created_at: KEY.created_at, expires_at: KEY.expires_at }
      return { id: 'key-2', key: 'placard_key_new', ...times, position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Name'), 'CI')
    const lifetime = dialog.getByLabelText('Valid for')
    expect(
      within(lifetime)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['7 days', '30 days', '60 days', '90 days', 'Until a date'])
    await userEvent.selectOptions(lifetime, 'Until a date')
    const create = dialog.getByRole('button', { name: 'Create key' })
    expect(create).toBeDisabled()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Last day' }), '12/05/2026')
    await userEvent.click(create)
    await waitFor(() =>
      expect(sent).toEqual([{ name: 'CI', scopes: ['read'], expires_at: new Date('2026-12-05T23:59:59.999').toISOString() }]),
    )
  })

  it('API keys show how many days are left, and until when a replaced one works', async () => {
    const { server } = open('/profile?tab=apiKeys')
    const inHours = (hours: number) => new Date(now() + hours * 3_600_000).toISOString()
    server.on(listApiKeys, () => [
      { ...KEY, id: 'soon', name: 'Soon', expires_at: inHours(4.5 * 24) },
      { ...KEY, id: 'later', name: 'Later', expires_at: inHours(8 * 24) },
      { ...KEY, id: 'old', name: 'Old', expires_at: inHours(20), replaced_at: inHours(-4) },
    ])
    const row = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement)
    expect((await row('Soon')).getByText('Ends in 5 days')).toBeVisible()
    expect((await row('Later')).queryByText(/Ends in/)).toBeNull()
    const old = await row('Old')
    expect([old.getByText('Replaced'), old.getByText(/works until/)].length).toBe(2)
    expect([old.queryByText(/Ends in/), old.queryByRole('button', { name: 'Rotate Old' })]).toEqual([null, null])
    expect(old.getByRole('button', { name: 'Revoke Old' })).toBeVisible()
  })

  it('API keys are rotated after a question, and the new one is shown once', async () => {
    const { server } = open('/profile?tab=apiKeys')
    const rotated: unknown[] = []
    server.on(rotateApiKey, ({ params }) => {
      rotated.push(params)
      const times = { created_at: KEY.created_at, expires_at: KEY.expires_at, replaced_until: '2026-11-02T10:00:00.000Z' }
      return { id: 'key-2', key: 'placard_key_new', ...times, position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Rotate Export' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Rotate' }))
    expect(await dialog.findByText('placard_key_new')).toBeVisible()
    expect(dialog.getByText(/The old one works until Nov 02, 2026/)).toBeVisible()
    expect(rotated).toEqual([{ id: 'key-1' }])
    await userEvent.click(dialog.getByRole('button', { name: 'I have copied it' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('API keys are revoked after a question', async () => {
    const { server } = open('/profile?tab=apiKeys')
    const revoked: unknown[] = []
    server.on(revokeApiKey, ({ params }) => {
      revoked.push(params)
      return { position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke Export' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(revoked).toEqual([{ id: 'key-1' }]))
  })
})

describe('passkeys', () => {
  it('passkeys are listed, renamed, and removed after a question', async () => {
    const { server } = open('/profile?tab=security')
    const sent: unknown[] = []
    server.on(renamePasskey, ({ params, body }) => {
      sent.push([params, body])
      return { position: '1' }
    })
    server.on(removePasskey, ({ params }) => {
      sent.push(params)
      return { position: '2' }
    })
    const section = within(await screen.findByRole('region', { name: 'Passkeys' }))
    expect(await section.findByText(/never used/)).toBeVisible()
    expect(section.getByText('Synced')).toBeVisible()
    // A browser without passkeys adds none.
    expect(section.queryByRole('button', { name: 'Add passkey' })).toBeNull()
    await userEvent.click(section.getByRole('button', { name: 'Rename Laptop' }))
    const name = await screen.findByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Phone{Enter}')
    await waitFor(() => expect(sent).toEqual([[{ id: 'passkey-1' }, { name: 'Phone' }]]))
    await userEvent.click(await section.findByRole('button', { name: 'Remove Laptop' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(sent.at(-1)).toEqual({ id: 'passkey-1' }))
  })

  it('passkeys are added with a name, and say so when the user gave up', async () => {
    withPasskeys()
    const { server } = open('/profile?tab=security')
    const sent: unknown[] = []
    server.on(beginPasskey, ({ body }) => {
      sent.push(body)
      return {
        rp: { id: 'localhost', name: 'Placard' },
        user: { id: 'AA', name: 'ada@nile.example', displayName: 'Ada' },
        challenge: 'AA',
        pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
        timeout: 1000,
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
        position: '1',
      }
    })
    server.on(addPasskey, () => refusal(2, 400))
    await userEvent.click(await screen.findByRole('button', { name: 'Add passkey' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Name'), 'Laptop')
    await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('The browser made no passkey. Please try again.')
    expect(sent).toEqual([{}])
  })
})
