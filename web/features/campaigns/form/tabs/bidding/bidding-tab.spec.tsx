import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Toaster } from '@/app/frame/toaster'
import { ShortcutHelp } from '@/app/shortcuts/shortcut-help'
import { describe, expect, it } from 'vitest'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { biddingSlice } from './bidding-slice.ts'
import { BiddingEntries } from './bidding-tab.tsx'
import type { DraftGroup } from '@/components/rules/draft'

const none: DraftGroup = { condition: 'and', rules: [] }
const listed = (...names: readonly string[]) =>
  campaignWith({
    traffic_targeting: JSON.stringify(names.map((name, index) => ({ id: index + 1, name, multiplier: 1, rules: none }))),
  })
const stored = (rules: DraftGroup) => JSON.stringify([{ id: 1, name: 'Bidding 1', multiplier: 1, rules }])
const shown = () =>
  within(screen.getByRole('list', { name: 'Bidding entries' }))
    .getAllByRole('heading')
    .map((one) => one.textContent)
const button = (name: string) => screen.getByRole('button', { name })

describe('the tab of advanced bidding', () => {
  // covers CAM-BID-02 CAM-BID-03 CAM-BID-04
  it('the tab of advanced bidding has a title, an add button and the entries in order', async () => {
    renderInForm(<BiddingEntries readOnly={false} />, listed('Phones', 'Tablets'))
    expect(screen.getByRole('heading', { name: 'Advanced bidding' })).toBeInTheDocument()
    expect(shown()).toEqual(['Phones', 'Tablets'])
    await userEvent.click(button('Add'))
    expect(shown()).toEqual(['Phones', 'Tablets', 'Bidding 3'])
  })

  // covers CAM-BID-05 CAM-BID-11
  it('hides and shows the rule builder of an entry', async () => {
    renderInForm(<BiddingEntries readOnly={false} />, listed('Phones'))
    expect(screen.queryByRole('group', { name: 'Group 1' })).toBeNull()
    await userEvent.click(button('Expand Phones'))
    expect(screen.getByRole('group', { name: 'Group 1' })).toBeVisible()
    await userEvent.click(button('Collapse Phones'))
    expect(screen.queryByRole('group', { name: 'Group 1' })).toBeNull()
  })

  // covers CAM-BID-06 CAM-BID-51
  it('renames in place, and never to nothing', async () => {
    renderInForm(<BiddingEntries readOnly={false} />, listed('Phones'))
    await userEvent.click(button('Rename Phones'))
    const name = screen.getByRole('textbox', { name: 'Name' })
    expect(name).toHaveFocus()
    await userEvent.clear(name)
    expect(button('Save name')).toBeDisabled()
    await userEvent.keyboard('{Enter}{Escape}')
    expect(shown()).toEqual(['Phones'])
    await userEvent.click(button('Rename Phones'))
    await userEvent.keyboard('!')
    await userEvent.click(button('Save name'))
    expect(shown()).toEqual(['Phones!'])
    expect(button('Rename Phones!')).toHaveFocus()
  })

  // covers CAM-BID-07 CAM-BID-49
  it('gives an entry a multiplier', async () => {
    const { form } = renderInForm(<BiddingEntries readOnly={false} />, listed('Phones'))
    const input = screen.getByRole('textbox', { name: 'Multiplier of Phones' })
    await userEvent.clear(input)
    await userEvent.type(input, '1.5a')
    expect(input).toHaveValue('1.5')
    expect(screen.getByText('Every impression → bid × 1.5')).toBeInTheDocument()
    expect(biddingSlice.toInput(form().getValues('bidding'), listed('Phones')).traffic_targeting).toContain('"multiplier":1.5')
    await userEvent.clear(input)
    await userEvent.tab()
    expect(input).toHaveValue('1')
  })

  it.each([
    ['.5', '0.5', 0.5],
    ['0,5', '0.5', 0.5],
    ['-2', '0', 0],
    ['-0.5', '0', 0],
    ['x3', '3', 3],
  ])('replaces a selected multiplier by what "%s" means', async (typed, shown, sent) => {
    const { form } = renderInForm(<BiddingEntries readOnly={false} />, listed('Phones'))
    const input = screen.getByRole('textbox', { name: 'Multiplier of Phones' })
    await userEvent.type(input, typed, { initialSelectionStart: 0, initialSelectionEnd: 1 })
    expect(biddingSlice.toInput(form().getValues('bidding'), listed('Phones')).traffic_targeting).toContain(
      `"multiplier":${sent},`,
    )
    await userEvent.tab()
    expect(input).toHaveValue(shown)
  })

  // covers CAM-BID-08 CAM-BID-09
  it('moves entries by keyboard, and the focus goes along', async () => {
    renderInForm(<BiddingEntries readOnly={false} />, listed('A', 'B', 'C'))
    expect(button('Move A up')).toBeDisabled()
    expect(button('Move C down')).toBeDisabled()
    button('Move A down').focus()
    await userEvent.keyboard('{Enter}')
    expect(shown()).toEqual(['B', 'A', 'C'])
    expect(button('Move A down')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(shown()).toEqual(['B', 'C', 'A'])
    expect(button('Move A up')).toHaveFocus()
    await userEvent.keyboard(' ')
    expect(shown()).toEqual(['B', 'A', 'C'])
  })

  // covers CAM-BID-10
  it('removes an entry, and brings it back when asked', async () => {
    const page = (
      <>
        <BiddingEntries readOnly={false} />
        <Toaster />
      </>
    )
    renderInForm(page, listed('A', 'B', 'C'))
    await userEvent.click(button('Remove B'))
    expect(shown()).toEqual(['A', 'C'])
    expect(button('Expand C')).toHaveFocus()
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(shown()).toEqual(['A', 'B', 'C'])
  })

  describe('keys of advanced bidding', () => {
    const open = (readOnly = false) =>
      renderInForm(
        <>
          <BiddingEntries readOnly={readOnly} />
          <Toaster />
          <ShortcutHelp />
        </>,
        listed('A', 'B', 'C'),
        readOnly,
      )
    const multiplier = (name: string) => screen.getByRole('textbox', { name: `Multiplier of ${name}` })

    it('moves the entry with the focus, which stays on its control', async () => {
      open()
      multiplier('A').focus()
      await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
      expect(shown()).toEqual(['B', 'A', 'C'])
      expect(multiplier('A')).toHaveFocus()
      await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
      await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
      expect(shown()).toEqual(['B', 'C', 'A'])
      await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
      expect(shown()).toEqual(['B', 'A', 'C'])
      expect(multiplier('A')).toHaveFocus()
    })

    it('duplicates the entry below it, with rules of its own', async () => {
      const { form } = open()
      multiplier('A').focus()
      await userEvent.keyboard('{Shift>}{Alt>}{ArrowDown}{/Alt}{/Shift}')
      expect(shown()).toEqual(['A', 'A (2)', 'B', 'C'])
      expect(button('Expand A (2)')).toHaveFocus()
      await userEvent.type(multiplier('A (2)'), '5')
      expect(
        form()
          .getValues('bidding.entries')
          .map(({ id, multiplier: one }) => [id, one]),
      ).toEqual([
        [1, '1'],
        [4, '15'],
        [2, '1'],
        [3, '1'],
      ])
    })

    it('removes the entry, and Z brings it back with the focus', async () => {
      open()
      button('Expand B').focus()
      await userEvent.keyboard('{Alt>}{Delete}{/Alt}')
      expect(shown()).toEqual(['A', 'C'])
      expect(button('Expand C')).toHaveFocus()
      await userEvent.keyboard('z')
      expect(shown()).toEqual(['A', 'B', 'C'])
      expect(button('Expand B')).toHaveFocus()
    })

    it('adds an entry with its first rule at hand', async () => {
      open()
      multiplier('B').focus()
      await userEvent.keyboard('{Alt>}{Enter}{/Alt}')
      expect(shown()).toEqual(['A', 'B', 'C', 'Bidding 4'])
      expect(button('Add rule to group 1')).toHaveFocus()
    })

    it('leaves text fields and the rest of the page their keys', async () => {
      open()
      multiplier('B').focus()
      await userEvent.keyboard('{Alt>}{Backspace}{/Alt}')
      screen.getByRole('textbox', { name: 'Bid request (JSON)' }).focus()
      await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
      expect(shown()).toEqual(['A', 'B', 'C'])
    })

    describe('the editor of a rule', () => {
      const rule = (value: string) => ({ field: 'os', operator: 'is', value })
      const group = (...values: readonly string[]): DraftGroup => ({ condition: 'or', rules: values.map(rule) })
      const filled = (...nodes: DraftGroup['rules']) => {
        const { form } = renderInForm(
          <BiddingEntries readOnly={false} />,
          campaignWith({ traffic_targeting: stored({ condition: 'and', rules: nodes }) }),
        )
        return () => form().getValues('bidding.entries')[0]?.rules.rules
      }
      const at = (place: string, control: string) =>
        within(screen.getByRole('group', { name: place })).getByRole('combobox', { name: control })
      const open = () => userEvent.click(button('Expand Bidding 1'))

      it('moves it within its group, and the focus stays on its control', async () => {
        const rules = filled(rule('iOS'), group('Windows'), rule('Android'))
        await open()
        at('Rule 1 of 2 in group 1', 'Operator').focus()
        await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
        expect(rules()).toEqual([group('Windows'), rule('iOS'), rule('Android')])
        await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
        await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
        expect(rules()).toEqual([group('Windows'), rule('Android'), rule('iOS')])
        expect(at('Rule 2 of 2 in group 1', 'Operator')).toHaveFocus()
        screen.getByRole('combobox', { name: 'Condition of group 1.1' }).focus()
        await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
        expect(rules()).toEqual([rule('Android'), group('Windows'), rule('iOS')])
        expect(screen.getByRole('combobox', { name: 'Condition of group 1.1' })).toHaveFocus()
      })

      it('duplicates it below', async () => {
        const rules = filled(group('iOS', 'Windows'))
        await open()
        at('Rule 1 of 2 in group 1.1', 'Value').focus()
        await userEvent.keyboard('{Shift>}{Alt>}{ArrowDown}{/Alt}{/Shift}')
        expect(rules()).toEqual([group('iOS', 'iOS', 'Windows')])
        expect(at('Rule 2 of 3 in group 1.1', 'Filter')).toHaveFocus()
      })

      it('removes it, and Z brings it back in its place with the focus', async () => {
        const rules = filled(rule('iOS'), rule('Android'))
        await open()
        button('Delete rule 1 of group 1').focus()
        await userEvent.keyboard('{Alt>}{Delete}{/Alt}')
        expect(rules()).toEqual([rule('Android')])
        expect(button('Add rule to group 1')).toHaveFocus()
        await userEvent.keyboard('z')
        expect(rules()).toEqual([rule('iOS'), rule('Android')])
        expect(at('Rule 1 of 2 in group 1', 'Filter')).toHaveFocus()
      })
    })

    it('keys of advanced bidding are listed in the help of shortcuts wherever the focus is', async () => {
      open()
      button('Add').focus()
      await userEvent.keyboard('?')
      const help = await screen.findByRole('list', { name: 'Keyboard shortcuts' })
      const keys = within(help)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
      expect(keys).toEqual([
        'Add a bidding entryAlt+Enter',
        'Duplicate the rule or entryShift+Alt+↓',
        'Move the rule or entry upAlt+↑',
        'Move the rule or entry downAlt+↓',
        'Remove the rule or entryAlt+DelAlt+Backspace',
        'Show this help?',
      ])
    })

    it('keys of advanced bidding do nothing for those who may only read', async () => {
      open(true)
      button('Expand A').focus()
      await userEvent.keyboard('{Alt>}{Delete}{ArrowDown}{Enter}{/Alt}')
      expect(shown()).toEqual(['A', 'B', 'C'])
    })
  })

  it('warns of what can never match', () => {
    const rules = (value: string) => ({ condition: 'and', rules: [{ field: 'os', operator: 'is', value }] })
    const both = { condition: 'and', rules: [...rules('Android').rules, ...rules('iOS').rules] }
    const entries = [
      { id: 1, name: 'All', multiplier: 1, rules: none },
      { id: 2, name: 'Never', multiplier: 1, rules: both },
    ]
    renderInForm(<BiddingEntries readOnly={false} />, campaignWith({ traffic_targeting: JSON.stringify(entries) }))
    expect(screen.getByText(/OS: these rules can never hold together/)).toBeInTheDocument()
    expect(screen.getByText(/taken by All above/)).toBeInTheDocument()
  })

  it('the tab of advanced bidding can only be read by those who may not write', async () => {
    renderInForm(<BiddingEntries readOnly />, listed('A'), true)
    expect(screen.queryByRole('button', { name: /^(Add|Remove|Move|Rename)/ })).toBeNull()
    await userEvent.click(button('Expand A'))
    expect(screen.getByRole('combobox', { name: 'Condition of group 1' })).toBeDisabled()
  })

  it('builds three levels of rules by keyboard alone', async () => {
    const { form } = renderInForm(<BiddingEntries readOnly={false} />)
    const user = userEvent.setup()
    const choose = async (label: string) => {
      const select = document.activeElement
      if (!(select instanceof HTMLSelectElement)) throw new Error('no list of choices has the focus')
      await user.selectOptions(select, label)
    }
    await user.tab()
    await user.keyboard('{Enter}')
    expect(button('Add rule to group 1')).toHaveFocus()
    await user.keyboard('{Enter}')
    await choose('App')
    await user.tab()
    await user.tab()
    await user.keyboard('com.example')
    button('Add group within group 1').focus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('combobox', { name: 'Condition of group 1.1' })).toHaveFocus()
    await user.tab()
    await user.tab()
    await choose('OS')
    await user.tab()
    await user.tab()
    await choose('Android')
    await user.tab()
    await user.tab()
    await user.tab()
    expect(button('Add group within group 1.1')).toHaveFocus()
    await user.keyboard('{Enter}')
    await user.tab()
    await user.tab()
    await choose('Bid floor')
    await user.tab()
    await choose('is more than')
    await user.tab()
    await user.keyboard('0.5')
    const text = 'App is com.example AND (OS is Android OR Bid floor is more than 0.5) → bid × 1'
    expect(screen.getByText(text)).toBeInTheDocument()
    expect(screen.getByRole('group', { name: 'Rule 1 of 1 in group 1.1.1' })).toBeInTheDocument()
    const sent = biddingSlice.toInput(form().getValues('bidding'), null).traffic_targeting
    expect(sent).toBe(
      stored({
        condition: 'and',
        rules: [
          { field: 'app', operator: 'is', value: 'com.example' },
          {
            condition: 'or',
            rules: [
              { field: 'os', operator: 'is', value: 'Android' },
              { condition: 'and', rules: [{ field: 'bid_floor', operator: 'is_more_than', value: 0.5 }] },
            ],
          },
        ],
      }),
    )
  })

  // covers CAM-BID-35
  it('says beside a rule what is wrong with it once it was left', async () => {
    renderInForm(<BiddingEntries readOnly={false} />)
    const user = userEvent.setup()
    await user.click(button('Add'))
    await user.click(button('Add rule to group 1'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Filter' }), 'Device IP')
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'abc')
    expect(screen.getByRole('textbox', { name: 'Value' })).toHaveValue('abc')
    await user.tab()
    expect(await screen.findByText(/An IP range is needed/)).toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Value' })).toBeInvalid()
    await user.type(screen.getByRole('textbox', { name: 'Value' }), '{Control>}a{/Control}')
    await user.clear(screen.getByRole('textbox', { name: 'Value' }))
    await user.type(screen.getByRole('textbox', { name: 'Value' }), '10.0.0.0/8')
    await user.tab()
    await waitFor(() => expect(screen.queryByText(/An IP range is needed/)).toBeNull())
  })

  it('keeps its error line until the mouse button is released, so that the button under it gets the click', async () => {
    renderInForm(<BiddingEntries readOnly={false} />)
    const user = userEvent.setup()
    await user.click(button('Add'))
    await user.click(button('Add rule to group 1'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Filter' }), 'Device IP')
    const value = screen.getByRole('textbox', { name: 'Value' })
    await user.type(value, 'abc')
    await user.tab()
    const error = await screen.findByText(/An IP range is needed/)
    await user.clear(value)
    await user.type(value, '10.0.0.0/8')
    await user.pointer({ keys: '[MouseLeft>]', target: button('Add rule to group 1') })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(error).toBeInTheDocument()
    await user.pointer({ keys: '[/MouseLeft]', target: button('Add rule to group 1') })
    await waitFor(() => expect(error).not.toBeInTheDocument())
    expect(screen.getAllByRole('group', { name: /^Rule \d/ })).toHaveLength(2)
  })
})
