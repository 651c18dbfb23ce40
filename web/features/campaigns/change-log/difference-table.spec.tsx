import { render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseLanguage } from '@/i18n/setup'
import { DifferenceTable } from './difference-table.tsx'
import type { Change, State } from './field-changes.ts'
import { Frame } from '@/test/log-fixture'

const MARK = 'erased:0123456789abcdef'
const shown = (testId: string) => screen.getByTestId(testId).textContent
const draw = (changes: readonly Change[], states: readonly State[] = []) =>
  render(
    <Frame>
      <DifferenceTable changes={changes} states={states} />
    </Frame>,
  )

describe('the differences of a change-log entry', () => {
  afterEach(() => chooseLanguage('en'))

  it.each([
    ['en', 'personal data, erased'],
    ['ru', 'персональные данные удалены'],
  ] as const)(
    'the differences of a change-log entry say in %s what an erased value is, and keep its mark in sight',
    async (language, words) => {
      await chooseLanguage(language)
      draw([{ path: 'test_devices', from: ['a-device'], to: ['a-device', MARK] }])
      expect(shown('current')).toContain(MARK)
      expect(shown('current')).toContain(words)
      expect(shown('previous')).not.toContain(words)
    },
  )

  it('the differences of a change-log entry stand under the tabs of the form, in its order', () => {
    draw([
      { path: 'margin', from: 1, to: 2 },
      { path: 'targeting.gender', from: 1, to: 2 },
      { path: 'name', from: 'a', to: 'b' },
    ])
    expect(
      [...document.querySelectorAll('tbody')].map((group) => within(group).getAllByRole('rowheader')[0]?.textContent),
    ).toEqual(['Campaign name', 'Gender', 'Margin'])
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual(
      expect.arrayContaining(['Campaign setup', 'Targeting', 'Owner fields']),
    )
  })

  it('the differences of a change-log entry mark in long texts only the words that differ', () => {
    const before = 'Five days from Luxor to Aswan on a quiet boat with good food'
    draw([{ path: 'native_ad.body', from: before, to: before.replace('Five', 'Seven') }])
    expect([...document.querySelectorAll('del')].map((one) => one.textContent)).toEqual(['Five'])
    expect([...document.querySelectorAll('ins')].map((one) => one.textContent)).toEqual(['Seven'])
  })

  it('the differences of a change-log entry name the element of a list that they are about', () => {
    const banner = { id: 'b1', creative_name: 'Sunset', width: 300, height: 250 }
    draw([{ path: 'visuals.banners[b1].width', from: 300, to: 320 }], [{ visuals: { banners: [banner] } }])
    expect(screen.getByTestId('log-change-visuals.banners[b1].width')).toHaveTextContent('Banner: widthSunset300 px320 px')
  })

  it('the differences of a change-log entry tint of a list only what came and what went', () => {
    const of = (...names: string[]) => names.map((name) => ({ id: name, creative_name: name, file_id: name }))
    draw([{ path: 'visuals.banners', from: of('one', 'two'), to: of('two', 'three') }])
    const tinted = (side: string) =>
      within(screen.getByTestId(side))
        .getAllByRole('listitem')
        .filter((item) => item.className.includes('tint'))
        .map((item) => item.textContent)
    expect([tinted('previous'), tinted('current')]).toEqual([['one'], ['three']])
  })
})
