module example.com/toolgate-verify

go 1.20
