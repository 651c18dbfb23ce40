import { Command as Cmdk } from 'cmdk'
import { useNavigate } from '@tanstack/react-router'
import { CornerDownLeft, History, LoaderCircle, Megaphone, Search, type LucideIcon } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keyName } from '../shortcuts/keys.ts'
import { Kbd } from '@/components/ui/kbd'
import { useMe } from '@/session/session-queries'
import type { Popup } from '@/lib/use-popup'
import { returnFocus } from '@/lib/return-focus'
import { noteRecent, readRecent } from './recent.ts'
import { GROUPS, matchesTyped, useCommands } from './use-commands.ts'
import { idIn, useFoundCampaigns } from './use-found-campaigns.ts'

type Run = () => void

/**
 * The command palette. A chosen command runs after the palette has closed and the focus has returned, so that the next dialog can
 * take the focus.
 */
export function CommandPalette({ popup }: { readonly popup: Popup }) {
  const { t } = useTranslation('palette')
  const opener = useRef<HTMLElement>(null)
  const chosen = useRef<Run>(null)
  return (
    <Primitive.Root open={popup.open} onOpenChange={popup.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="bg-scrim animate-fade fixed inset-0 z-50" />
        <Primitive.Content
          aria-describedby={undefined}
          className="animate-enter bg-popover shadow-lg fixed inset-x-0 top-[14vh] z-50 mx-auto w-[600px] max-w-[calc(100vw-32px)] overflow-hidden rounded-xl outline-none"
          onOpenAutoFocus={() => {
            opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
            chosen.current = null
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus(opener.current === null || opener.current === document.body ? popup.button.current : opener.current)
            chosen.current?.()
          }}
        >
          <Primitive.Title className="sr-only">{t('open')}</Primitive.Title>
          <Choices
            onChoose={(run) => {
              chosen.current = run
              popup.onOpenChange(false)
            }}
          />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Choices({ onChoose }: { readonly onChoose: (run: Run) => void }) {
  const { t } = useTranslation('palette')
  const { id: person } = useMe()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const commands = useCommands()
  const { found, busy } = useFoundCampaigns(typed)
  const [recent] = useState(() => readRecent(person))
  const pasted = idIn(typed)

  const choose = (id: string, label: string, run: Run) => {
    noteRecent(person, { id, label })
    onChoose(run)
  }
  const openCampaign = (id: string) => () =>
    void navigate({ to: '/campaign/edit/$id', params: { id }, search: { tab: 'basicInfo' } })
  const campaign = (id: string, label: string, Icon: LucideIcon, note: string | null = null) => (
    <Choice
      key={id}
      id={`campaign ${id}`}
      label={label}
      Icon={Icon}
      onChoose={() => choose(`campaign ${id}`, label, openCampaign(id))}
    >
      {note !== null && <span className="text-muted-foreground text-xs shrink-0">{note}</span>}
    </Choice>
  )
  const fitting = commands.filter(({ label }) => typed.trim() === '' || matchesTyped(label, typed.trim()))
  const again = typed === '' ? recent : []
  return (
    <Cmdk label={t('open')} shouldFilter={false} vimBindings={false} loop>
      <div className="border-border flex items-center gap-3 border-b px-4">
        <Search aria-hidden className="text-muted-foreground size-4 shrink-0" />
        <Cmdk.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t('placeholder')}
          className="placeholder:text-muted-foreground h-12 min-w-0 grow bg-transparent outline-none"
        />
        {busy && <LoaderCircle aria-hidden className="text-muted-foreground size-4 shrink-0 animate-spin" />}
      </div>
      <Cmdk.List label={t('open')} className="max-h-[52vh] scroll-py-2 overflow-y-auto p-2">
        {!busy && <Cmdk.Empty className="text-muted-foreground px-2.5 py-6 text-center">{t('nothing')}</Cmdk.Empty>}
        {pasted !== null && campaign(pasted, t('jump', { id: pasted }), CornerDownLeft)}
        {again.length > 0 && (
          <Group heading={t('groups.recent')}>
            {again.map(({ id, label }) => {
              const [kind, campaignId = ''] = id.split(' ')
              if (kind === 'campaign') return campaign(campaignId, label, History)
              const known = commands.find((command) => command.id === id)
              return (
                known !== undefined && (
                  <Choice
                    key={id}
                    id={`recent ${id}`}
                    label={known.label}
                    Icon={History}
                    onChoose={() => choose(id, known.label, known.run)}
                  />
                )
              )
            })}
          </Group>
        )}
        {found.length > 0 && (
          <Group heading={t('groups.campaigns')}>
            {found.map(({ id, label, account }) => campaign(id, label, Megaphone, account))}
          </Group>
        )}
        {GROUPS.map((group) => {
          const within = fitting.filter((command) => command.group === group)
          return (
            within.length > 0 && (
              <Group key={group} heading={t(`groups.${group}`)}>
                {within.map(({ id, label, Icon, keys, run }) => (
                  <Choice
                    key={id}
                    id={id}
                    label={label}
                    Icon={Icon}
                    // Commands of this page are not stored as recent: most other pages do not have them.
                    onChoose={() => (group === 'here' || group === 'sections' ? onChoose(run) : choose(id, label, run))}
                  >
                    {keys !== undefined && <Kbd aria-hidden>{keyName(keys)}</Kbd>}
                  </Choice>
                ))}
              </Group>
            )
          )
        })}
      </Cmdk.List>
      <output className="sr-only">{typed === '' ? '' : t('found', { count: fitting.length + found.length })}</output>
    </Cmdk>
  )
}

const Group = ({ heading, children }: { readonly heading: string; readonly children: ReactNode }) => (
  <Cmdk.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium"
  >
    {children}
  </Cmdk.Group>
)

type ChoiceProps = {
  readonly id: string
  readonly label: string
  readonly Icon: LucideIcon
  readonly onChoose: Run
  /** At the end of the line. */
  readonly children?: ReactNode
}

const Choice = ({ id, label, Icon, onChoose, children }: ChoiceProps) => (
  <Cmdk.Item
    value={id}
    onSelect={onChoose}
    className="rounded-md data-[selected=true]:bg-accent flex min-h-9 cursor-pointer items-center gap-3 px-2.5 py-1.5"
  >
    <Icon aria-hidden className="text-muted-foreground size-4 shrink-0" />
    <span className="min-w-0 grow truncate">{label}</span>
    {children}
  </Cmdk.Item>
)
