import { render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseLanguage } from '@/i18n/setup'
import { formatMoney, Money } from './money.tsx'

describe('money', () => {
  it.each([
    [1234.5, 'USD', '$1,234.50'], // covers CONST-53
    [1234.5, 'NGN', '₦1,234.50'], // covers CONST-52
    [0, 'AMD', '֏0.00'], // covers CONST-54
    [-3, 'USD', '−$3.00'],
    [7, 'EUR', 'EUR 7.00'],
  ])('writes %d %s as %s', (value, currency, text) => {
    expect(formatMoney(value, currency)).toBe(text)
  })

  it('keeps the symbol in front in Russian', async () => {
    onTestFinished(async () => {
      await chooseLanguage('en')
    })
    await chooseLanguage('ru')
    render(<Money value={1234.5} currency="USD" />)
    expect(screen.getByText(/^\$1\s234,50$/)).toBeVisible()
  })

  it('stands within a phrase', () => {
    render(<Money value={5} currency="USD" within={(amount) => `${amount} a day`} />)
    expect(screen.getByText('$5.00 a day')).toBeVisible()
  })

  it('refuses money without a currency at compile time', () => {
    // @ts-expect-error the currency is required
    expect(() => formatMoney(1)).not.toThrow()
    // @ts-expect-error an unknown currency is not a currency
    expect(formatMoney(1, null)).toBe('1.00')
  })
})
