import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished } from 'vitest'
import { accountPeople, adminUser, renameAccount, staff as accountStaff } from '#contract/accounts'
import {
  changeRoles,
  deactivatePerson,
  freeSignOn,
  getTeam,
  grantRight,
  handOver,
  invitePerson,
  reactivatePerson,
  repeatInvitation,
  resetFactor,
  takeRight,
  withdrawInvitation,
  type TeamMember,
} from '#contract/team'
import { setClock } from '@/lib/clock'
import { accessToken } from '@/session/token-store'
import { accountWith } from '@/test/account-fixture'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { KARIM, memberWith, staffOf, teamOf } from '@/test/team-fixture'

const ADA = memberWith()
const NOOR = memberWith({
  id: 'noor',
  first_name: 'Noor',
  last_name: 'Hassan',
  email: 'noor@nile.example',
  roles: ['ACCOUNTANT'],
  state: 'invited',
  second_factor: false,
  sign_on: false,
  created_at: '2026-11-01T10:00:00.000Z',
  last_seen_at: null,
})

function open(people: readonly TeamMember[] = [ADA, KARIM, NOOR], { role = 'USER_OWNER', path = '/team' } = {}) {
  setClock(() => Date.parse('2026-11-03T10:00:00.000Z'))
  onTestFinished(() => setClock(null))
  const server = signedInServer({ role })
  let shown = [...people]
  server.on(getTeam, () => (role === 'USER_OWNER' ? teamOf(...shown) : staffOf(...shown)))
  const change = (next: readonly TeamMember[]) => {
    shown = [...next]
  }
  return { server, change, ...renderRoute(path) }
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const choose = async (name: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions on ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}
const question = async () => within(await screen.findByRole('alertdialog'))
const said = (text: string) => screen.findByText(text)

describe('the team of an account', () => {
  it('shows who may sign in, with roles, states and last sign-ins', async () => {
    const { server } = open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Team' })).toBeVisible()
    expect(await row('Ada Nile')).toHaveTextContent(/You.*ada@nile\.example.*Owner.*Active.*On.*24 hr\. ago|1 day ago/)
    expect(await row('Karim Saleh')).toHaveTextContent(/Accountant.*Active.*Off/)
    expect(await row('Noor Hassan')).toHaveTextContent(/Invited.*Invited 2 days ago/)
    expect(server.calls(getTeam)[0]?.params).toEqual({ id: 'space-1' })
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(within(await row('Ada Nile')).queryByRole('button')).toBeNull()
  })

  it('renames the account, and shows a name that is taken beside its field', async () => {
    const { server } = open()
    server.on(renameAccount, ({ body }) =>
      (body as { name: string }).name === 'Delta Boats'
        ? refusal(1411, 409, [{ path: 'name', code: 1411, key: 'accountNameTaken', message: 'Another account has this name' }])
        : { space_id: 'space-1', space_name: (body as { name: string }).name, position: '9' },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Rename account' }))
    const name = await screen.findByRole('textbox', { name: 'Name of the account' })
    await userEvent.clear(name)
    await userEvent.type(name, 'Delta Boats')
    await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
    await waitFor(() => expect(name).toHaveAccessibleDescription('Another account has this name'))
    await userEvent.clear(name)
    await userEvent.type(name, 'Nile Group{Enter}')
    expect(await said('The account has its new name')).toBeVisible()
    expect(server.calls(renameAccount).map(({ params, body }) => [params['id'], body])).toEqual([
      ['space-1', { name: 'Delta Boats' }],
      ['space-1', { name: 'Nile Group' }],
    ])
  })

  it('renames no account for users who may not', async () => {
    open([KARIM], { role: 'USER_VIEWER' })
    await row('Karim Saleh')
    expect(screen.queryByRole('button', { name: 'Rename account' })).toBeNull()
  })

  it('the team is in the navigation as Team for advertisers and as Staff for white-labels, and not for accountants', async () => {
    open([ADA])
    const own = await screen.findByRole('navigation', { name: 'Main navigation' })
    expect(within(own).getByRole('link', { name: 'Team' })).toHaveAttribute('href', '/team')
    expect(within(own).queryByRole('link', { name: 'Staff' })).toBeNull()
  })

  it('the team of an account is called Staff for a white-label, which auditors read without actions', async () => {
    open([memberWith({ roles: ['AUDITOR'] }), memberWith({ id: 'marek', first_name: 'Marek', roles: ['WL_MODERATOR'] })], {
      role: 'AUDITOR',
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
    expect(await row('Marek Nile')).toHaveTextContent('Moderator')
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Actions on/ })).toBeNull()
  })

  it('leads those away who may not read it', async () => {
    const { address } = open([], { role: 'WL_MODERATOR' })
    await waitFor(() => expect(address()).not.toBe('/team'))
  })

  it('says what it is for to a user who is alone, with the button that invites', async () => {
    open([ADA])
    expect(await screen.findByText(/Invite the people you work with/)).toBeVisible()
    expect(screen.getAllByRole('button', { name: 'Invite' })).toHaveLength(1)
  })

  it('the team of an account can be searched by name and address once it has more than ten people', async () => {
    const people = Array.from({ length: 10 }, (_, n) =>
      memberWith({ id: `p${n}`, first_name: `Person${n}`, email: `p${n}@nile.example` }),
    )
    open([ADA, ...people])
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search by name or address' }), 'P7@NILE')
    expect(await row('Person7')).toBeVisible()
    expect(screen.queryByRole('row', { name: /Person3/ })).toBeNull()
    await userEvent.type(screen.getByRole('searchbox'), 'zzz')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear search' }))
    expect(await row('Person3')).toBeVisible()
  })

  it('offers to load again after a failure', async () => {
    const { server } = open()
    server.on(getTeam, () => refusal(1, 400))
    renderRoute('/team')
    expect(await screen.findByText('The people could not be loaded')).toBeVisible()
  })
})

describe('an invitation', () => {
  const fill = async (email = 'sara@nile.example') => {
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a person' }))
    await userEvent.type(dialog.getByLabelText('First name'), ' Sara ')
    await userEvent.type(dialog.getByLabelText('Last name'), 'Adel')
    await userEvent.type(dialog.getByLabelText('Email'), email)
    await userEvent.click(dialog.getByRole('radio', { name: 'Accountant' }))
    return dialog
  }
  const send = (dialog: Awaited<ReturnType<typeof fill>>) =>
    userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))

  it('an invitation is sent with a name, an address and a role, and the person appears', async () => {
    const { server, change } = open()
    const sara = memberWith({ ...NOOR, id: 'sara', first_name: 'Sara', last_name: 'Adel', email: 'sara@nile.example' })
    server.on(invitePerson, () => {
      change([ADA, KARIM, NOOR, sara])
      return { member: sara, approval_id: null, position: '7' }
    })
    const dialog = await fill()
    expect(dialog.getByText(/Cannot change campaigns/)).toBeVisible()
    await send(dialog)
    expect(await said('Invitation sent to sara@nile.example')).toBeVisible()
    expect(await row('Sara Adel')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.calls(invitePerson)[0]).toMatchObject({
      params: { id: 'space-1' },
      body: { first_name: 'Sara', last_name: 'Adel', email: 'sara@nile.example', roles: ['ACCOUNTANT'] },
    })
  })

  it('asks for what is missing before anything is sent', async () => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Email'), 'sara')
    await send(dialog)
    expect(await dialog.findByText('Choose a role')).toBeVisible()
    expect(dialog.getByText('Please enter a valid email address')).toBeVisible()
    expect(dialog.getAllByText('This field is required')).toHaveLength(2)
    expect(server.calls(invitePerson)).toHaveLength(0)
  })

  it.each([
    [
      'of a person who is invited',
      1400,
      [{ path: 'body.email', code: 1400, message: '', key: 'alreadyInvited' }],
      'This person is invited already',
    ],
    ['to an address of another account', 1400, [], 'This address cannot be invited'],
    ['of a person who belongs to the account', 1401, [], /already belongs to the account/],
    [
      'beyond the most people',
      2,
      [{ path: 'email', code: 2, message: '', key: 'tooMany', params: { max: 100 } }],
      /At most 100 people/,
    ],
  ])('an invitation %s is refused at the address', async (_, code, errors, text) => {
    const { server } = open()
    server.on(invitePerson, () => refusal(code, 409, errors))
    const dialog = await fill()
    await send(dialog)
    expect(await dialog.findByText(text)).toBeVisible()
    const email = dialog.getByLabelText('Email')
    expect(email).toHaveAttribute('aria-invalid', 'true')
    await waitFor(() => expect(email).toHaveFocus())
  })

  it('shows a refused role at the roles', async () => {
    const { server } = open()
    server.on(invitePerson, () => refusal(2, 409, [{ path: 'roles', code: 2, message: '', key: 'notAllowed' }]))
    const dialog = await fill()
    await send(dialog)
    expect(await dialog.findByText('This value is not one of those allowed')).toBeVisible()
  })

  it('an invitation is mailed again at once', async () => {
    const { server } = open()
    server.on(repeatInvitation, () => ({ member: NOOR, position: '7' }))
    await choose('Noor Hassan', 'Send the invitation again')
    expect(await said('Invitation sent to noor@nile.example again')).toBeVisible()
    expect(server.calls(repeatInvitation)[0]?.params).toEqual({ id: 'space-1', person: 'noor' })
  })

  it('an invitation that was accepted in the meantime is not repeated, and the list shows it', async () => {
    const { server, change } = open()
    server.on(repeatInvitation, () => {
      change([ADA, { ...NOOR, state: 'active' }])
      return refusal(1401, 409)
    })
    await choose('Noor Hassan', 'Send the invitation again')
    expect(await said('This person has accepted the invitation already.')).toBeVisible()
    await waitFor(async () => expect(await row('Noor Hassan')).toHaveTextContent('Active'))
  })

  it('an invitation is withdrawn after a question, by keyboard, and the focus stays in the list', async () => {
    const { server, change } = open()
    server.on(withdrawInvitation, () => {
      change([ADA, KARIM])
      return { id: 'noor', position: '7' }
    })
    const menu = await screen.findByRole('button', { name: 'Actions on Noor Hassan' })
    menu.focus()
    await userEvent.keyboard('{Enter}')
    await screen.findByRole('menuitem', { name: 'Withdraw the invitation' })
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    const dialog = await question()
    expect(dialog.getByText(/noor@nile\.example stops working/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Withdraw' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: /Noor Hassan/ })).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions on Karim Saleh' })).toHaveFocus())
  })
})

describe('a person of an account', () => {
  it('gets another role', async () => {
    const { server, change } = open()
    server.on(changeRoles, () => {
      const member = { ...KARIM, roles: ['USER_OWNER' as const] }
      change([ADA, member])
      return { member, approval_id: null, position: '7' }
    })
    await choose('Karim Saleh', 'Change role')
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the role of Karim Saleh' }))
    expect(dialog.getByRole('radio', { name: 'Accountant' })).toBeChecked()
    await userEvent.click(dialog.getByRole('radio', { name: 'Owner' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Change role' }))
    expect(await said('Role of Karim Saleh changed')).toBeVisible()
    await waitFor(async () => expect(await row('Karim Saleh')).toHaveTextContent('Owner'))
    expect(server.calls(changeRoles)[0]).toMatchObject({ params: { person: 'karim' }, body: { roles: ['USER_OWNER'] } })
  })

  it('a person of an account is deactivated after a question that says what ends, and reactivated at once', async () => {
    const { server, change } = open()
    const gone = { ...KARIM, state: 'deactivated' as const }
    server.on(deactivatePerson, () => {
      change([ADA, gone])
      return { member: gone, position: '7' }
    })
    server.on(reactivatePerson, () => {
      change([ADA, KARIM])
      return { member: KARIM, approval_id: null, position: '8' }
    })
    await choose('Karim Saleh', 'Deactivate')
    const dialog = await question()
    expect(dialog.getByText(/sessions and API keys end within 5 seconds/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
    await waitFor(async () => expect(await row('Karim Saleh')).toHaveTextContent('Deactivated'))
    await choose('Karim Saleh', 'Reactivate')
    expect(await said('Karim Saleh can sign in again')).toBeVisible()
    await waitFor(async () => expect(await row('Karim Saleh')).toHaveTextContent('Active'))
  })

  it('a person of an account has a lost second factor reset once a second person confirms how the user was recognised', async () => {
    const { server } = open([ADA, { ...KARIM, second_factor: true }])
    server.on(resetFactor, () => ({ approval_id: 'a1', position: '7' }))
    await choose('Karim Saleh', 'Reset the second factor')
    const dialog = within(await screen.findByRole('dialog', { name: 'Reset the second factor of Karim Saleh?' }))
    await userEvent.type(dialog.getByLabelText('How you recognised the person'), 'He sits beside me')
    await userEvent.click(dialog.getByRole('button', { name: 'Ask' }))
    expect(await said('It waits for a second person')).toBeVisible()
    expect(server.calls(resetFactor)[0]?.body).toEqual({ comment: 'He sits beside me' })
  })

  it('a person of an account is freed from the identity provider after a question, where one is linked', async () => {
    const { server } = open([ADA, { ...KARIM, sign_on: true }])
    server.on(freeSignOn, () => ({ member: KARIM, approval_id: null, position: '7' }))
    await choose('Karim Saleh', 'Free the sign-on link')
    const dialog = await question()
    expect(dialog.getByText(/The next account there with the address karim@nile\.example signs in as Karim Saleh/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Free the link' }))
    expect(await said('The sign-on link of Karim Saleh is free')).toBeVisible()
    expect(server.calls(freeSignOn)).toHaveLength(1)
  })

  it('stays as they are when the question is cancelled', async () => {
    const { server } = open()
    await choose('Karim Saleh', 'Deactivate')
    await userEvent.click((await question()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.calls(deactivatePerson)).toHaveLength(0)
  })

  it('becomes the owner, and the user is led to sign in with the reason', async () => {
    const { server, address } = open()
    server.on(handOver, () => ({ member: { ...KARIM, roles: [...ADA.roles] }, approval_id: null, position: '7' }))
    await choose('Karim Saleh', 'Hand over ownership')
    const dialog = await question()
    expect(dialog.getByText(/You become: Accountant\. You both sign in again/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Hand over' }))
    expect(await said('You handed the ownership over. Sign in again to go on with your new role.')).toBeVisible()
    expect(address()).toBe('/auth/login?after=hand-over')
    expect(accessToken()).toBeNull()
    expect(server.calls(getTeam)).toHaveLength(1)
  })
})

describe('the people of an account in the administration', () => {
  const path = '/admin/user/details/ada?tab=people'
  const arrange = (role: string) => {
    const opened = open([ADA, KARIM], { role, path })
    opened.server.on(adminUser, () => accountWith({ space_id: 'space-9' }))
    opened.server.on(accountStaff, () => ({ people: [] }))
    opened.server.on(getTeam, () => teamOf(ADA, KARIM))
    return opened
  }

  it('the people of an account in the administration can be managed by the owner of the white-label', async () => {
    const { server } = arrange('WL_OWNER')
    await choose('Karim Saleh', 'Deactivate')
    await question()
    expect(screen.queryByRole('menuitem', { name: 'Hand over ownership' })).toBeNull()
    expect(server.calls(getTeam)[0]?.params).toEqual({ id: 'space-9' })
  })

  it('the people of an account in the administration are a plain list for those who may not manage them', async () => {
    const { server } = arrange('WHITELABEL_ACCOUNTANT')
    server.on(accountPeople, () => ({ people: [] }))
    await screen.findByRole('tab', { name: 'People' })
    await waitFor(() => expect(server.calls(accountPeople)).toHaveLength(1))
    expect(server.calls(getTeam)).toHaveLength(0)
  })
})

describe('single rights', () => {
  const VERA = memberWith({
    id: 'vera',
    first_name: 'Vera',
    last_name: 'Saleh',
    email: 'vera@nile.example',
    roles: ['USER_VIEWER'],
    second_factor: false,
    sign_on: false,
  })
  const WRITES = { right: 'campaign.write' as const, kind: 'granted' as const, until: null, by: 'Ada Nile' }
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Rights of Vera Saleh' }))
  const rightIn = async (name: string) => {
    const item = (await dialog()).getByText(name).closest('li')
    if (item === null) throw new Error(`there is no right ${name}`)
    return within(item)
  }
  const WRITE_CAMPAIGNS = 'Create, change, run and archive campaigns'

  it('single rights are granted until the end of a day, and shown beside the role with who granted them', async () => {
    const { server, change } = open([ADA, VERA])
    const until = new Date('2026-11-05T23:59:59.999').toISOString()
    const after = { ...VERA, rights: [{ ...WRITES, until }] }
    server.on(grantRight, () => {
      change([ADA, after])
      return { member: after, approval_id: null, position: '1' }
    })
    await choose('Vera Saleh', 'Rights')
    expect((await rightIn(WRITE_CAMPAIGNS)).getByText('Not granted')).toBeVisible()
    await userEvent.type((await dialog()).getByRole('textbox', { name: 'Last day of what you grant' }), '11/05/2026')
    await userEvent.click((await rightIn(WRITE_CAMPAIGNS)).getByRole('button', { name: 'Grant' }))
    expect(await said('Right granted to Vera Saleh')).toBeVisible()
    expect(server.calls(grantRight)).toMatchObject([
      { params: { id: 'space-1', person: 'vera' }, body: { right: 'campaign.write', until } },
    ])
    await waitFor(async () => expect((await rightIn(WRITE_CAMPAIGNS)).getByText(/^Granted by Ada Nile until /)).toBeVisible())
    await userEvent.click((await dialog()).getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    expect(await row('Vera Saleh')).toHaveTextContent(/Viewer\+1 right/)
  })

  it('single rights are not granted until an invalid day', async () => {
    open([ADA, VERA])
    await choose('Vera Saleh', 'Rights')
    await userEvent.type((await dialog()).getByRole('textbox', { name: 'Last day of what you grant' }), 'soon')
    expect(await said('Enter a day, or leave this empty')).toBeVisible()
    expect((await rightIn(WRITE_CAMPAIGNS)).getByRole('button', { name: 'Grant' })).toBeDisabled()
  })

  it('single rights are taken, and those of the role are given back', async () => {
    const clara = { ...VERA, roles: ['ACCOUNTANT' as const] }
    const taken = { ...clara, rights: [{ ...WRITES, right: 'balance.read' as const, kind: 'taken' as const }] }
    const { server, change } = open([ADA, clara])
    server.on(takeRight, () => {
      change([ADA, taken])
      return { member: taken, position: '1' }
    })
    server.on(grantRight, () => ({ member: clara, approval_id: null, position: '2' }))
    await choose('Vera Saleh', 'Rights')
    const balances = 'Read balances and transactions'
    expect((await rightIn(balances)).getByText('By the role')).toBeVisible()
    await userEvent.click((await rightIn(balances)).getByRole('button', { name: 'Take' }))
    expect(await said('Right taken from Vera Saleh')).toBeVisible()
    await waitFor(async () => expect((await rightIn(balances)).getByText('Taken by Ada Nile')).toBeVisible())
    await userEvent.click((await rightIn(balances)).getByRole('button', { name: 'Give back' }))
    expect(await said('Right given back to Vera Saleh')).toBeVisible()
    expect(server.calls(takeRight)[0]?.body).toEqual({ right: 'balance.read' })
    expect(server.calls(grantRight)[0]?.body).toEqual({ right: 'balance.read', until: null })
  })

  it('single rights of staff may wait for a second person, and a refusal says why', async () => {
    const { server } = open([ADA, VERA])
    server.on(grantRight, () => ({ member: VERA, approval_id: 'a1', position: '1' }))
    await choose('Vera Saleh', 'Rights')
    await userEvent.click((await rightIn(WRITE_CAMPAIGNS)).getByRole('button', { name: 'Grant' }))
    expect(await said('It waits for a second person')).toBeVisible()
    server.on(grantRight, () => refusal(1402, 409))
    await userEvent.click((await rightIn(WRITE_CAMPAIGNS)).getByRole('button', { name: 'Grant' }))
    expect(await said('This person has not accepted the invitation yet.')).toBeVisible()
  })

  it('single rights of owners are not offered', async () => {
    open([ADA, memberWith({ id: 'omar', first_name: 'Omar', last_name: 'Aziz', email: 'omar@nile.example' })])
    await userEvent.click(await screen.findByRole('button', { name: 'Actions on Omar Aziz' }))
    expect(await screen.findByRole('menuitem', { name: 'Change role' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Rights' })).toBeNull()
  })
})
