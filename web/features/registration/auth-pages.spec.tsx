import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { completeRegistration, finishReset, register, startReset, verifyToken } from '#contract/registration'
import { countries } from '#contract/reference'
import { whitelabelInfo } from '#contract/white-label-info'
import { fakeServer, refusal } from '@/test/fake-server'
import { foundCountries, pickCountry } from '@/test/pick-country'
import { renderRoute } from '@/test/render-route'

const COUNTRIES = [
  { iso_code: 'EG', name: 'Egypt', timezone_offset_seconds: 7200 },
  { iso_code: 'NG', name: 'Nigeria', timezone_offset_seconds: 3600 },
]

function openSignUp(whitelabel = 'dsp') {
  const server = fakeServer()
  server.on(countries, () => COUNTRIES)
  server.on(whitelabelInfo, () => ({
    id: whitelabel,
    name: 'Placard',
    time_zone: 'UTC',
    timezone_offset_seconds: 0,
    file_id: null,
    audio_ads: true,
    environment: 'local',
    whitelabel_settings: {
      help_url: null,
      default_locale: 'en_US',
      term_of_service_url: 'https://placard.example/terms',
      company_logo: null,
      primary_color: null,
      secondary_color: null,
      warning_color: null,
      gauge_color: null,
    },
  }))
  server.on(register, () => ({ position: '1' }))
  const page = renderRoute('/auth/signup')
  return { server, ...page }
}
const field = (name: string | RegExp) => screen.getByLabelText(name)
const submit = () => screen.getByRole('button', { name: 'Create account' })

const GOOD = { Country: 'NG', 'First name': 'Nadia', 'Last name': 'Osei', Phone: '+2348012345678', Email: 'nadia@delta.example' }

async function fill(over: Partial<Record<keyof typeof GOOD, string>> = {}, { agree = true } = {}) {
  await screen.findByLabelText('Country')
  for (const [label, value] of Object.entries({ ...GOOD, ...over })) {
    if (value === '') continue
    if (label === 'Country') await pickCountry(value)
    else await userEvent.type(field(label), value)
  }
  if (agree) await userEvent.click(screen.getByRole('checkbox'))
  await userEvent.tab()
}

describe('the sign-up screen', () => {
  // covers REG-01..07 REG-10 ROUTE-02 CONST-55 CONST-64
  it('the sign-up screen has the fields of a registration, countries from the server, and the terms with a link', async () => {
    openSignUp()
    // By the beginning of its code.
    expect(await foundCountries('ng')).toEqual(['Nigeria'])
    await userEvent.keyboard('{Escape}')
    for (const label of ['Company name', 'First name', 'Last name', 'Phone', 'Email']) expect(field(label)).toBeVisible()
    expect(
      within(field('Preferred currency'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['USD', 'NGN'])
    expect(screen.getByRole('checkbox')).not.toBeChecked()
    expect(screen.getByRole('link', { name: 'terms of service' })).toHaveAttribute('href', 'https://placard.example/terms')
  })

  // covers REG-29
  it('asks for the countries once', async () => {
    const { server } = openSignUp()
    await screen.findByLabelText('Country')
    await userEvent.click(screen.getByRole('link', { name: 'Sign in' }))
    await userEvent.click(await screen.findByRole('link', { name: 'Create an account' }))
    await screen.findByLabelText('Country')
    expect(server.calls(countries)).toHaveLength(1)
  })

  // covers REG-08
  it('lets the currency change on the host of Nigeria', async () => {
    openSignUp('ng')
    await waitFor(() => expect(field('Preferred currency')).toBeEnabled())
    expect(field('Preferred currency')).toHaveValue('NGN')
  })

  // covers REG-09
  it('locks the currency on other hosts', async () => {
    openSignUp('am')
    await screen.findByLabelText('Country')
    expect(field('Preferred currency')).toBeDisabled()
    expect(field('Preferred currency')).toHaveValue('USD')
  })

  // covers REG-11 REG-19..27 REG-43 REG-44
  it('sends the registration, without a company, and shows that it was received', async () => {
    const { server } = openSignUp()
    await fill()
    await userEvent.click(submit())
    expect(await screen.findByRole('heading', { name: 'Thank you for registering' })).toHaveFocus()
    expect(screen.getByText(/an email at nadia@delta\.example/)).toBeVisible()
    expect(server.calls(register)[0]?.body).toEqual({
      agree_with_tos: true,
      company_name: '',
      country: 'NG',
      currency: 'USD',
      email: 'nadia@delta.example',
      first_name: 'Nadia',
      language_key: 1,
      last_name: 'Osei',
      phone: '+2348012345678',
      user_type_key: 1,
    })
  })

  it.each([
    ['first name', { 'First name': '' }], // covers REG-37
    ['last name', { 'Last name': '' }], // covers REG-38
    ['phone', { Phone: '' }], // covers REG-39
    ['country', { Country: '' }], // covers REG-40
    ['email', { Email: '' }], // covers REG-41
    ['valid email', { Email: 'abc' }], // covers REG-42
  ])('the sign-up screen cannot be sent without a %s', async (_, over) => {
    openSignUp()
    await fill(over)
    expect(submit()).toBeDisabled()
  })

  // covers REG-45
  it('the sign-up screen cannot be sent without the terms', async () => {
    openSignUp()
    await fill({}, { agree: false })
    expect(submit()).toBeDisabled()
  })

  // covers REG-46
  it('the sign-up screen can be sent once every field is valid, and not before', async () => {
    openSignUp()
    await screen.findByLabelText('Country')
    expect(submit()).toBeDisabled()
    await fill()
    expect(submit()).toBeEnabled()
  })

  it('shows the error of a field once it was left, and those of the server', async () => {
    const { server } = openSignUp()
    server.on(register, () => refusal(2, 400, [{ path: 'phone', code: 2, message: 'Server', key: 'phone' }]))
    await screen.findByLabelText('Country')
    await userEvent.type(field('Email'), 'abc')
    expect(screen.queryByText('Please enter a valid email address')).toBeNull()
    await userEvent.tab()
    expect(screen.getByText('Please enter a valid email address')).toBeVisible()
    await userEvent.clear(field('Email'))
    await fill()
    await userEvent.click(submit())
    expect(await screen.findByText('Please enter a phone number of 7 to 15 digits')).toBeVisible()
  })
})

describe('the forgot-password screen', () => {
  // covers AUTH-09..11 ROUTE-03
  it('asks for an email and then says to check it', async () => {
    const server = fakeServer()
    server.on(startReset, () => ({}))
    renderRoute('/auth/forgot-password')
    await userEvent.type(await screen.findByLabelText('Email'), ' ada@nile.example ')
    await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toHaveFocus()
    expect(server.calls(startReset)[0]?.body).toBe('ada@nile.example')
  })

  it.each([
    ['', 'This field is required'], // covers AUTH-35
    ['abc', 'Please enter a valid email address'], // covers AUTH-36
  ])('refuses the email "%s"', async (email, error) => {
    const server = fakeServer()
    renderRoute('/auth/forgot-password')
    if (email !== '') await userEvent.type(await screen.findByLabelText('Email'), email)
    await userEvent.click(await screen.findByRole('button', { name: 'Reset password' }))
    expect(screen.getByText(error)).toBeVisible()
    expect(server.calls(startReset)).toEqual([])
  })
})

const WEAK =
  'Password should be at least 8 characters and contain 1 each of the following characters types:  number, uppercase, and special symbols.'

/** The error below the passwords, with its spaces as they are. */
const passwordError = async () => {
  await waitFor(() => expect(document.querySelector('[data-slot=field-error]')).not.toBeNull())
  return document.querySelector('[data-slot=field-error]')?.textContent
}

async function choose(password: string, confirmation: string, button: string) {
  await userEvent.type(await screen.findByLabelText('Password'), password)
  await userEvent.type(screen.getByLabelText('Confirm password'), confirmation)
  await userEvent.click(screen.getByRole('button', { name: button }))
}

describe('the reset-password screen', () => {
  async function reset(at: string) {
    const server = fakeServer()
    server.on(finishReset, () => ({}))
    const { address } = renderRoute(at)
    await choose('Sunrise#2026', 'Sunrise#2026', 'Save Password')
    expect(await screen.findByText('Password changed. Login into your account now.')).toBeVisible()
    expect(server.calls(finishReset)[0]?.body).toEqual({ newPassword: 'Sunrise#2026', key: 'a-key' })
    expect(address()).toBe('/auth/login')
  }

  // covers AUTH-12..14 ERR-08 ERR-09 ROUTE-04
  it('sets a new password and leads to sign-in', () => reset('/auth/reset-password/a-key'))
  it('the reset-password screen also takes the key from the query', () => reset('/auth/reset-password?key=a-key'))

  it.each([
    ['Sunrise#2026', 'Sunrise#2027', 'Passwords do not match'], // covers AUTH-37 AUTH-45
    ['sunrise', 'sunrise', WEAK], // covers AUTH-46
  ])('refuses %s with %s', async (password, confirmation, text) => {
    const server = fakeServer()
    renderRoute('/auth/reset-password/a-key')
    await choose(password, confirmation, 'Save Password')
    expect(await passwordError()).toBe(text)
    expect(server.calls(finishReset)).toEqual([])
  })

  it('shows the refusal of a name, which only the server knows', async () => {
    const personal = 'Password should not contain any of your personal information-specifically real name, company name.'
    const server = fakeServer()
    server.on(finishReset, () => refusal(2, 400, [{ path: 'newPassword', code: 2, message: personal }], personal))
    renderRoute('/auth/reset-password/a-key')
    await choose('Nadia#2026', 'Nadia#2026', 'Save Password')
    expect(await passwordError()).toBe(personal)
  })

  it.each([
    [4, 'Token expired'],
    [5, 'Token invalid'],
  ])('shows the code %s as %s, and offers a new link', async (code, title) => {
    const server = fakeServer()
    server.on(finishReset, () => refusal(code, 401))
    renderRoute('/auth/reset-password/old')
    await choose('Sunrise#2026', 'Sunrise#2026', 'Save Password')
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/auth/forgot-password')
  })
})

describe('the confirm-registration screen', () => {
  const DATA = {
    company_name: 'Delta',
    first_name: 'Nadia',
    last_name: 'Osei',
    phone: '+2348012345678',
    email: 'n@delta.example',
  }
  function open(path = '/auth/confirm-registration/a-token') {
    const server = fakeServer()
    server.on(verifyToken, () => DATA)
    server.on(completeRegistration, () => ({}))
    return { server, ...renderRoute(path) }
  }

  // covers REG-12..18 REG-33 ROUTE-05
  it('shows the registration, disabled, and the password fields', async () => {
    open()
    const shown = [
      ['Company name', 'Delta'],
      ['First name', 'Nadia'],
      ['Last name', 'Osei'],
      ['Phone', '+2348012345678'],
      ['Email', 'n@delta.example'],
    ] as const
    for (const [label, value] of shown) {
      expect(await screen.findByLabelText(label)).toHaveValue(value)
      expect(field(label)).toBeDisabled()
    }
    expect(field('Password')).toBeVisible()
    expect(field('Confirm password')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Complete Registration' })).toBeVisible()
  })

  it('leaves out the company and the phone of an invited person who gave neither', async () => {
    open().server.on(verifyToken, () => ({ ...DATA, company_name: '', phone: null }))
    expect(await screen.findByLabelText('Email')).toHaveValue('n@delta.example')
    expect(screen.queryByLabelText('Company name')).toBeNull()
    expect(screen.queryByLabelText('Phone')).toBeNull()
  })

  // covers ERR-07
  it('completes the registration and leads to sign-in', async () => {
    const { server, address } = open('/auth/confirm-registration?token=a-token')
    await choose('Sunrise#2026', 'Sunrise#2026', 'Complete Registration')
    expect(await screen.findByText('Your account is successfully verified, you can now log in.')).toBeVisible()
    expect(server.calls(completeRegistration)[0]?.body).toEqual({ token: 'a-token', password: 'Sunrise#2026' })
    expect(address()).toBe('/auth/login')
  })

  // covers AUTH-47
  it('refuses a password with a name', async () => {
    const { server } = open()
    await choose('xNadia#2026', 'xNadia#2026', 'Complete Registration')
    expect(await passwordError()).toBe(
      'Password should not contain any of your personal information-specifically real name, company name.',
    )
    expect(server.calls(completeRegistration)).toEqual([])
  })

  it.each([
    [5, 'Token invalid'], // covers REG-34 ERR-05
    [161, 'Token invalid'],
    [4, 'Token expired'], // covers REG-35 ERR-06
  ])('shows the code %s as %s', async (code, title) => {
    const { server } = open()
    server.on(verifyToken, () => refusal(code, code === 161 ? 404 : 401))
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  })

  // covers REG-36
  it('leads to sign-in when the registration was completed before', async () => {
    const server = fakeServer()
    server.on(verifyToken, () => refusal(162, 409))
    const { address } = renderRoute('/auth/confirm-registration/used')
    expect(await screen.findByLabelText('Username')).toBeVisible()
    expect(address()).toBe('/auth/login')
  })
})
