/**
 * Everything that is done on a Hyper-V host, as one fixed PowerShell script. It reads one JSON object from its standard
 * input, a `HyperVRequest`, and prints one, a `HyperVReply`. Whatever comes from outside is the value of a
 * parameter there and never a part of the script's text.
 *
 * Input is ASCII: the console's code page would spoil other characters, so JSON escapes them. Output is base64 of UTF-8 for
 * the same reason.
 *
 * A machine is ours when its notes begin with `palisade:1:` and our id, followed by the definition in base64. Notes and
 * configuration cannot be set at once, so a machine carries `palisade:0:` and its id while it is being made: that one is
 * unfinished. Between New-VM and the first Set-VM it carries nothing; so it is made under the name `palisade-<id>`, and
 * renamed last.
 *
 * Needs the Hyper-V module of Windows 8 or Windows Server 2012, PowerShell 3. Hosts before 2012 R2 have no `-Generation`.
 */
export const hyperVScript = String.raw`
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Write-Reply($value) {
  $json = ConvertTo-Json -InputObject $value -Depth 6 -Compress
  [Console]::Out.Write([Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($json)))
}

function Find-Ours($id) {
  Get-VM @target | Where-Object { $_.Notes -match ('^palisade:[01]:' + $id) -or $_.Name -eq ('palisade-' + $id) } | Select-Object -First 1
}

function Get-Ours($id) {
  $vm = Find-Ours $id
  if ($null -eq $vm) { throw 'no such machine' }
  $vm
}

# A remote host is reached by CIM alone. Its query language has strings of its own, with backslash as the escape.
function Remove-DiskFile($path) {
  if ($target.ContainsKey('CimSession')) {
    $name = $path.Replace('\', '\\').Replace("'", "\'")
    Get-CimInstance -ClassName CIM_DataFile -Filter "Name='$name'" @target | Remove-CimInstance
  } elseif (Test-Path -LiteralPath $path -PathType Leaf) {
    Remove-Item -LiteralPath $path -Force
  }
}

function Describe($vm) {
  @{ name = $vm.Name; notes = [string]$vm.Notes; state = [string]$vm.State }
}

try {
  $request = [Console]::In.ReadToEnd() | ConvertFrom-Json
  Import-Module Hyper-V
  $target = @{}
  if ($request.computerName) {
    $session = @{ ComputerName = $request.computerName }
    if ($request.credentials) {
      $secret = ConvertTo-SecureString -String $request.credentials.password -AsPlainText -Force
      $session.Credential = New-Object Management.Automation.PSCredential($request.credentials.userName, $secret)
    }
    $target.CimSession = New-CimSession @session
  }
  $p = $request.parameters
  $supportsGenerations = (Get-Command New-VM).Parameters.ContainsKey('Generation')
  $value = $null
  switch -CaseSensitive ($request.command) {
    'describe-host' {
      $vmHost = Get-VMHost @target
      $system = Get-CimInstance -ClassName Win32_OperatingSystem @target
      $value = @{
        version = $system.Version
        supportsGenerations = $supportsGenerations
        processors = [int]$vmHost.LogicalProcessorCount
        freeMebibytes = [long][math]::Floor($system.FreePhysicalMemory / 1024)
        virtualDisksPath = $vmHost.VirtualHardDiskPath
        machinesPath = $vmHost.VirtualMachinePath
      }
    }
    'list-switches' {
      $value = @(Get-VMSwitch @target | ForEach-Object { @{ id = ([string]$_.Id).ToLowerInvariant(); name = $_.Name } })
    }
    'list-machines' {
      $value = @(Get-VM @target | ForEach-Object { Describe $_ })
    }
    'define' {
      $vm = Find-Ours $p.id
      if ($null -eq $vm) {
        $new = @{ Name = 'palisade-' + $p.id; MemoryStartupBytes = [long]$p.memoryMebibytes * 1MB; NoVHD = $true }
        if ($supportsGenerations) { $new.Generation = [int]$p.generation }
        $vm = New-VM @new @target
        Set-VM -VM $vm -Notes ('palisade:0:' + $p.id)
      }
      Set-VMProcessor -VM $vm -Count ([int]$p.cores)
      Set-VMMemory -VM $vm -DynamicMemoryEnabled $false -StartupBytes ([long]$p.memoryMebibytes * 1MB)
      Set-VM -VM $vm -AutomaticStartAction Nothing
      Get-VMHardDiskDrive -VM $vm | Remove-VMHardDiskDrive
      Get-VMNetworkAdapter -VM $vm | Remove-VMNetworkAdapter
      foreach ($disk in $p.disks) {
        $place = @{ ControllerType = $disk.controller; ControllerNumber = [int]$disk.number; ControllerLocation = [int]$disk.location }
        Add-VMHardDiskDrive -VM $vm -Path $disk.path @place
      }
      if ($p.switchId) {
        $switch = Get-VMSwitch @target | Where-Object { [string]$_.Id -eq $p.switchId } | Select-Object -First 1
        Add-VMNetworkAdapter -VM $vm -SwitchName $switch.Name
      }
      if ([int]$p.generation -eq 2) {
        Set-VMFirmware -VM $vm -EnableSecureBoot Off -FirstBootDevice (Get-VMHardDiskDrive -VM $vm | Select-Object -First 1)
      }
      Set-VM -VM $vm -NewVMName $p.name -Notes ('palisade:1:' + $p.id + ':' + $p.definition)
    }
    'start' {
      $vm = Get-Ours $p.id
      if ($vm.State -ne 'Running') { Start-VM -VM $vm }
    }
    'shut-down' { Stop-VM -VM (Get-Ours $p.id) -Force }
    'turn-off' { Stop-VM -VM (Get-Ours $p.id) -TurnOff -Force }
    'remove' {
      $vm = Find-Ours $p.id
      if ($null -ne $vm) {
        if ($vm.State -ne 'Off') { Stop-VM -VM $vm -TurnOff -Force }
        foreach ($path in $p.disks) { Remove-DiskFile $path }
        Remove-VM -VM $vm -Force
      }
    }
    'missing-disks' {
      $value = @($p.disks | Where-Object { -not (Get-VHD -Path $_ @target -ErrorAction SilentlyContinue) })
    }
    default { throw 'unknown command' }
  }
  Write-Reply @{ ok = $true; value = $value }
} catch {
  Write-Reply @{
    ok = $false
    id = [string]$_.FullyQualifiedErrorId
    category = [string]$_.CategoryInfo.Category
    message = [string]$_.Exception.Message
  }
}
`
