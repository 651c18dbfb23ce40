import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { exportLog } from '#contract/audit-export'
import { EVERY_EVENT } from '#domain/every-event'
import { FieldsDialog, textOf } from '@/components/form/fields-dialog'
import { accountQueries } from '@/data/account-queries'
import { download } from '@/data/client'
import { saveFile } from '@/lib/save-file'
import { useMe } from '@/session/session-queries'
import { startOf } from './audit-search.ts'
import { eventName } from './entry-texts.ts'
import { useLanguage } from '@/i18n/use-language'

/** Saves a part of the log as a signed file. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('audit')
  const language = useLanguage()
  const me = useMe()
  const accounts = useQuery(accountQueries.list()).data?.data ?? []
  const people = accounts.flatMap(({ id, first_name, last_name, email }) =>
    id === null ? [] : [{ value: id, label: [first_name, last_name].filter(Boolean).join(' ') || (email ?? id) }],
  )
  const own = people.some(({ value }) => value === me.id)
  const any = { value: '', label: t('proof.export.any') }
  const types = Object.keys(EVERY_EVENT)
    .map((type) => ({ value: type, label: eventName(type) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
  return (
    <FieldsDialog
      title={t('proof.export.title')}
      text={t('proof.export.dialogText')}
      fields={[
        { name: 'from', label: t('filters.from'), kind: 'day' },
        { name: 'to', label: t('filters.to'), kind: 'day' },
        {
          name: 'space',
          label: t('filters.account'),
          kind: 'choice',
          options: [any, ...accounts.map(({ space_id, space_name }) => ({ value: space_id, label: space_name }))],
        },
        {
          name: 'actor',
          label: t('filters.person'),
          kind: 'choice',
          options: [
            any,
            ...(own ? [] : [{ value: me.id, label: [me.first_name, me.last_name].filter(Boolean).join(' ') }]),
            ...people,
          ],
        },
        { name: 'types', label: t('proof.export.type'), kind: 'choice', options: [any, ...types] },
        { name: 'personal', label: t('proof.export.personal'), help: t('proof.export.personalHelp'), kind: 'switch' },
      ]}
      initial={{ from: '', to: '', space: '', actor: '', types: '', personal: 'no' }}
      currency=""
      confirm={t('proof.export.confirm')}
      send={async (values) => {
        const asked = (name: string) => textOf(values, name) ?? undefined
        const [from, to] = [asked('from'), asked('to')]
        const file = await download(exportLog, {
          query: {
            ...(from === undefined ? {} : { from: startOf(from, 0) }),
            ...(to === undefined ? {} : { to: startOf(to, 1) }),
            ...(asked('space') === undefined ? {} : { space: asked('space') }),
            ...(asked('actor') === undefined ? {} : { actor: asked('actor') }),
            ...(asked('types') === undefined ? {} : { types: asked('types') }),
            ...(values['personal'] === 'yes' ? { personal: 'true' } : {}),
          },
        })
        saveFile(file, `audit-${from ?? 'all'}.ndjson`)
      }}
      invalidates={[]}
      done={t('proof.export.done')}
      onClose={onClose}
    />
  )
}
