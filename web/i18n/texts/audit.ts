import audit from '../locales/en/audit.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the audit page: events and fields of every subject but campaigns, whose words the change log has.
addEnglish({ audit })
