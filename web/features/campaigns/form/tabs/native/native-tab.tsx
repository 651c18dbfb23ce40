export default function NativeTab() {
  return null
}
