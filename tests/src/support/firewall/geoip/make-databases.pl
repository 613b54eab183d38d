# Writes countries.mmdb and newer-countries.mmdb into the folder in which it is run.
use strict;
use warnings;
use MaxMind::DB::Writer::Tree;
my %types=(country=>'map',registered_country=>'map',continent=>'map',traits=>'map',iso_code=>'utf8_string',code=>'utf8_string',names=>'map',en=>'utf8_string',is_anonymous_proxy=>'boolean',is_satellite_provider=>'boolean');
sub tree { my($type)=@_; MaxMind::DB::Writer::Tree->new(ip_version=>6,record_size=>24,database_type=>$type,languages=>['en'],description=>{en=>'Addresses for documentation and tests'},map_key_type_callback=>sub{$types{$_[0]}}, remove_reserved_networks=>0) }
sub c { my($cc,$cont,$reg,$traits)=@_; my $r={}; $r->{country}={iso_code=>$cc} if $cc; $r->{continent}={code=>$cont} if $cont; $r->{registered_country}={iso_code=>$reg} if $reg; $r->{traits}=$traits if $traits; $r }
my $t=tree('Palisade-Test-Country');
$t->insert_network('192.0.2.0/25', c('DE','EU','DE'));
$t->insert_network('192.0.2.128/25', c('FR','EU','US'));
$t->insert_network('198.51.100.0/24', c('US','NA','US'));
$t->insert_network('203.0.113.0/25', c(undef,undef,'NL'));
$t->insert_network('203.0.113.128/25', c('AQ','AN','AQ',{is_anonymous_proxy=>1}));
$t->insert_network('2001:db8:1::/48', c('US','NA','US'));
$t->insert_network('127.0.0.2/32', c('FR','EU','FR'));
$t->insert_network('127.0.0.3/32', c('US','NA','US'));
open my $fh,'>:raw','countries.mmdb'; $t->write_tree($fh); close $fh;
my $u=tree('Palisade-Test-Country');
$u->insert_network('192.0.2.0/24', c('BR','SA','BR'));
$u->insert_network('127.0.0.2/32', c('US','NA','US'));
$u->insert_network('127.0.0.3/32', c('FR','EU','FR'));
open $fh,'>:raw','newer-countries.mmdb'; $u->write_tree($fh); close $fh;
