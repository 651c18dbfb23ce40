import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeople } from '#platform/identity/people'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mails.ts'
import { openPage, pickCountry, publishForm, signInAs } from '../support/page.ts'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'

const NEW_PASSWORD = 'Kestrel-Quarry#58'

describe('registration and passwords, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  /** The product on the host of the white-label ng. */
  let nigeria: string
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    nigeria = `http://ng.localhost:${new URL(product.base).port}`
    await createPeople(createKysely(product.database.pool), { demo: true }).create({
      id: newId(),
      whitelabel_id: 'ng',
      home_space_id: newId(),
      roles: ['WL_MODERATOR'],
      first_name: 'Musa',
      last_name: 'Bello',
      email: 'moderator@ng.example',
      phone: null,
      password: PASSWORD,
    })
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  // covers CAM-GEN-01
  it('a stranger registers in NGN, is screened by a moderator, gets the mail, sets a password, signs in and publishes a campaign', async () => {
    const { page, complaints, clicks } = await openPage(browser, nigeria)
    await page.goto('/auth/login')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await pickCountry(page, 'Nigeria')
    await page.getByLabel('Company name').fill('Delta Foods')
    await page.getByLabel('First name').fill('Nadia')
    await page.getByLabel('Last name').fill('Osei')
    await page.getByLabel('Phone').fill('+234 801 234 5678')
    await page.getByLabel('Email').fill('nadia@delta.example')
    expect(await page.getByLabel('Preferred currency').inputValue()).toBe('NGN')
    const submit = page.getByRole('button', { name: 'Create account' })
    expect(await submit.isDisabled()).toBe(true)
    await page.getByRole('checkbox').check()
    await submit.click()
    await page.getByRole('heading', { name: 'Thank you for registering' }).waitFor()

    const desk = await openPage(browser, nigeria)
    await signInAs(desk.page, 'moderator@ng.example', PASSWORD)
    await desk.page.goto('/moderation')
    await desk.page.getByRole('link', { name: /Registrants/ }).click()
    await desk.page.getByRole('link', { name: 'Nadia Osei' }).click()
    // The list has a button of the same name.
    await desk.page.getByRole('heading', { name: 'Nadia Osei' }).waitFor()
    await desk.page.getByText('nadia@delta.example').waitFor()
    await desk.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await desk.page.getByText('No registrants wait').waitFor()

    const link = linkIn(await mailTo(product.dataDir, 'nadia@delta.example'))
    expect(link.origin).toBe(nigeria)
    await page.goto(link.href)
    await page.getByRole('heading', { name: 'Complete your registration' }).waitFor()
    expect(await page.getByLabel('Company name').inputValue()).toBe('Delta Foods')
    expect(await page.getByLabel('Email').isDisabled()).toBe(true)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Complete Registration' }).click()
    await page.getByText('Your account is successfully verified, you can now log in.').waitFor()
    await page.getByLabel('Username').fill('nadia@delta.example')
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/campaigns*')
    await page.getByText('₦').first().waitFor()

    // The first campaign, published at once; it waits for a moderator.
    await page.getByRole('button', { name: 'New campaign', exact: true }).first().click()
    await page.getByRole('dialog').getByText('Awareness').first().click()
    await page.getByLabel('Campaign name').fill('Delta suya')
    await pickCountry(page, 'Nigeria')
    await page.getByRole('button', { name: 'Set country' }).click()
    await page.getByLabel('Daily budget').fill('40000')
    await page.getByLabel('Landing page URL').fill('https://delta.example/suya')
    await page.getByRole('button', { name: 'Save & Next' }).click()
    await page.waitForURL('**/campaign/edit/**')
    await page.getByRole('link', { name: 'Banner ads' }).click()
    const banner = { name: 'suya.png', mimeType: 'image/png', buffer: await png(300, 250) }
    await page.locator('input[type=file]').first().setInputFiles(banner)
    await page.getByLabel('Creative name').fill('suya')
    // The new account has no money yet, which the review says.
    await publishForm(page, 'Publish anyway')
    await page.getByText('Campaign published successfully!').waitFor()
    // From the sign-in page to a published campaign.
    expect(clicks()).toBeLessThanOrEqual(16)
    expect(desk.clicks()).toBeLessThanOrEqual(4)

    // The link was used up: it leads to sign-in, for signed-out users.
    const again = await openPage(browser, nigeria)
    await again.page.goto(link.href)
    await again.page.waitForURL('**/auth/login')
    expect([...complaints, ...desk.complaints, ...again.complaints]).toEqual([])
  })

  it('a user who forgot the password gets a mail, replaces it, and every old session is out', async () => {
    const old = await openPage(browser, product.base)
    await signInAs(old.page, 'bola@lagos.example', PASSWORD)

    const { page, complaints } = await openPage(browser, product.base)
    await page.goto('/auth/login')
    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.getByLabel('Email').fill('bola@lagos.example')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()

    const link = linkIn(await mailTo(product.dataDir, 'bola@lagos.example'))
    await page.goto(link.href)
    await page.getByLabel('Password', { exact: true }).fill('Bola-and-more#58')
    await page.getByLabel('Confirm password').fill('Bola-and-more#58')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await page.getByText('Password should not contain any of your personal information').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save Password' }).click()
    await page.getByText('Password changed. Login into your account now.').waitFor()
    await page.getByLabel('Username').fill('bola@lagos.example')
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/campaigns*')

    await old.page.reload()
    await old.page.getByLabel('Username').waitFor()
    expect((await mailTo(product.dataDir, 'bola@lagos.example', 2)).subject).toMatch(/password was changed|New sign-in/)
    expect(complaints).toEqual([])
  })

  // covers I18N-05
  it('an owner adds an account, by keyboard in Russian, and its owner gets a Russian mail', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await page.goto('/auth/login')
    await page.getByLabel('Language').selectOption('ru')
    await page.getByLabel('Имя пользователя').fill('owner@dsp.example')
    await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/overview')
    await page.goto('/admin/accounts')
    await page.getByRole('link', { name: 'Добавить аккаунт' }).press('Enter')
    await page.getByLabel('Имя', { exact: true }).focus()
    for (const text of ['Анна', 'Петрова', 'anna@yerevan.example', '+37491123456', 'Директор']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.getByLabel('Язык писем').selectOption('2')
    await pickCountry(page, 'Армения', 'Страна')
    await page.getByLabel('Фамилия').press('Enter')
    await page.getByText('Аккаунт успешно создан!').waitFor()
    const mail = await mailTo(product.dataDir, 'anna@yerevan.example')
    expect(mail.subject).toMatch(/^Ваша учётная запись/)
    expect(complaints).toEqual([])
  })
})
