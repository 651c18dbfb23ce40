import { render, screen } from '@testing-library/react'
import { chooseLanguage } from '../../../../i18n/setup.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { DifferenceTable } from './difference-table.tsx'

const MARK = 'erased:0123456789abcdef'
const shown = (testId: string) => screen.getByTestId(testId).textContent

describe('the differences of a change-log entry', () => {
  afterEach(() => chooseLanguage('en'))

  it.each([
    ['en', 'personal data, erased'],
    ['ru', 'персональные данные удалены'],
  ] as const)('say in %s what an erased value is, and keep its mark in sight', async (language, words) => {
    await chooseLanguage(language)
    render(<DifferenceTable changes={[{ path: 'test_devices', from: ['a-device'], to: ['a-device', MARK] }]} />)
    expect(shown('current')).toContain(MARK)
    expect(shown('current')).toContain(words)
    expect(shown('previous')).not.toContain(words)
  })
})
