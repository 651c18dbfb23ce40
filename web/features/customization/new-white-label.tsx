import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { AppError } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { customizationMutations } from './customization-queries.ts'

type NewWhiteLabelProps = { readonly open: boolean; readonly onClose: () => void; readonly onCreated: (id: string) => void }

/** A dialog for the id and the name of a new white-label; everything else is customised after it. */
export function NewWhiteLabel({ open, onClose, onCreated }: NewWhiteLabelProps) {
  const { t } = useTranslation(['customization', 'common'])
  const form = useId()
  const create = useMutation(customizationMutations.create())
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending) return
    const values = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = values.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    create.mutate(
      { id: text('id').toLowerCase(), name: text('name') },
      {
        onSuccess: ({ id, name }) => {
          toast.success(t('customization:new.done', { name }))
          onClose()
          onCreated(id)
        },
        onError: (error) => {
          const found = error instanceof AppError ? error.faults : []
          if (found.length === 0) toast.error(errorText(error))
          setFaults(Object.fromEntries(found.map((fault) => [fault.path, faultText(fault)])))
        },
      },
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (next) return
        setFaults({})
        onClose()
      }}
    >
      <DialogPanel title={t('customization:new.title')} description={t('customization:new.text')}>
        <form id={form} noValidate onSubmit={submit}>
          <DialogPanelBody>
            <LabelledField label={t('customization:new.id')} help={t('customization:new.idHelp')} error={faults['id']}>
              <FieldInput name="id" maxLength={30} autoComplete="off" autoCapitalize="none" spellCheck={false} />
            </LabelledField>
            <LabelledField label={t('customization:field.name')} error={faults['name']}>
              <FieldInput name="name" maxLength={300} autoComplete="off" />
            </LabelledField>
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" aria-disabled={create.isPending}>
              {t('customization:new.create')}
            </Button>
          </DialogPanelFooter>
        </form>
      </DialogPanel>
    </Dialog>
  )
}
